// Where spdlog's lines of `troupe serve` go: stderr, many in one write.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <spdlog/sinks/base_sink.h>

namespace troupe {

/// Lines are written by a thread of its own, so that a slow reader of stderr slows nobody; of lines
/// that can not be kept up with, the oldest are lost. Those of the same 5 ms are written together:
/// to wake a thread costs more than to make a line. At its end the rest is written, as long as
/// some of it is taken within a second. Any thread.
class gathering_sink final : public spdlog::sinks::base_sink<std::mutex> {
public:
  /// @param descriptor is written to, and not closed
  explicit gathering_sink(int descriptor);
  ~gathering_sink() override;

protected:
  void sink_it_(const spdlog::details::log_msg& line) override;
  void flush_() override {}

private:
  using clock = std::chrono::steady_clock;

  void run();
  void write_all(std::string_view text);
  bool has_room();

  int descriptor_;
  std::mutex waiting_mutex_;
  std::condition_variable wake_;
  std::string waiting_;        ///< whole lines
  clock::time_point ended_at_; ///< set before `ended_`
  clock::time_point taken_at_; ///< when the descriptor took something last; the writer's own
  std::atomic<bool> ended_{false};
  std::thread writer_; ///< last: it uses the others
};

} // namespace troupe

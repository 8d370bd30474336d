// The spdlog sink of `troupe serve`: writes many lines to stderr at once.
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

/// Writes lines on a thread of its own, so that a slow reader of stderr slows no caller; the oldest
/// lines are lost if the reader cannot keep up. Lines of the same 5 ms are written together,
/// because waking a thread costs more than making a line. The destructor writes the rest, while the
/// reader takes some of it each second. Any thread.
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
  clock::time_point taken_at_; ///< when the descriptor last took bytes; writer thread only
  std::atomic<bool> ended_{false};
  std::thread writer_; ///< last: it uses the others
};

} // namespace troupe

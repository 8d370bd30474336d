// The writing end of a pipe on a loop.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <ev.h>

#include "transport/descriptor.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

/// Writes to a non-blocking pipe as fast as its reader takes it. Loop thread only, or any single
/// thread after stop(). SIGPIPE must be blocked, as it is on a loop's thread.
class pipe_writer final : public loop_stage, public std::enable_shared_from_this<pipe_writer> {
public:
  /// @param broken called once when the reader has closed; the pipe is closed then
  static std::shared_ptr<pipe_writer> make(loop& home, descriptor pipe,
                                           std::function<void()> broken);

  ~pipe_writer() override;
  pipe_writer(const pipe_writer&) = delete;
  pipe_writer& operator=(const pipe_writer&) = delete;

  /// Appends. All bytes of one iteration leave in one write; without bound. Does nothing after
  /// finish() or close().
  void write(std::string_view bytes);

  /// Closes the pipe as soon as everything is written.
  void finish();

  /// Closes the pipe now; drops what is queued.
  void close();

  /// Returns the number of bytes that the reader has not taken yet.
  size_t queued() const noexcept;

private:
  pipe_writer(loop& home, descriptor pipe, std::function<void()> broken);

  bool run() override;
  void leave_stage();
  void flush();
  void take_queue();

  loop& home_;
  descriptor pipe_;
  std::function<void()> broken_;
  ev_io writable_{};
  std::string queue_;
  std::string sending_;  // was the queue; all of it is written before the present queue
  size_t sent_ = 0;      // of sending_
  bool touched_ = false; // run() is due in this iteration
  bool finishing_ = false;
};

} // namespace troupe

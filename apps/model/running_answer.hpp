// An answer under way: written as its pace and the client allow.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/dialect/dialect.hpp"
#include "messages/ports/ports.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe::scripted {

/// An answer, and what asked for it.
struct answer_to_run {
  answer what;
  chat_call call;
  const dialect& spoken;
};

/// Writes one answer. Loop thread only, the destructor, too. Its shared_ptr owners keep it alive;
/// its own callbacks do not.
class running_answer : public std::enable_shared_from_this<running_answer> {
public:
  /// How it ended: as the script says, or because the client left.
  enum class outcome { completed, aborted };

  using listener = std::function<void(running_answer&, outcome)>;

  /// @param over told once, just before the last byte goes out or when the client has left
  running_answer(loop& home, std::shared_ptr<http_response> to, answer_to_run what, listener over);

  /// Listens to the client, who may leave before it begins. It may be over when this returns.
  void wait();

  /// Starts it, after wait(); it may be over when this returns.
  void begin();

private:
  using clock = std::chrono::steady_clock;

  void on_signal(response_signal what);
  void on_time();
  void stream();
  bool flush(json_buffer& piece);
  bool is_due();
  void close_stream();
  void answer_whole();
  void end(outcome how);

  std::shared_ptr<http_response> to_;
  const dialect& spoken_;
  const chat_call call_;
  answer_frames frames_;
  listener over_;
  timer timer_;
  clock::time_point started_;
  bool is_started_ = false;
  bool is_full_ = false;    // the client has to take bytes first
  bool is_cutting_ = false; // all is written; the next tick breaks the connection
  bool is_over_ = false;
};

/// Returns the head of a streamed answer.
headers stream_head(std::string_view content_type);

} // namespace troupe::scripted

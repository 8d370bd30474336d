#include "apps/model/running_answer.hpp"

#include <utility>

namespace troupe::scripted {

namespace {

constexpr size_t piece_bytes = 32 * 1024;

/// The delay before a connection is broken, in which written bytes can still leave.
constexpr auto before_cut = std::chrono::milliseconds{50};

} // namespace

headers stream_head(std::string_view content_type) {
  return {{"content-type", std::string{content_type}}, {"cache-control", "no-cache"}};
}

running_answer::running_answer(loop& home, std::shared_ptr<http_response> to, answer_to_run what,
                               listener over)
    : to_{std::move(to)}, spoken_{what.spoken}, call_{std::move(what.call)},
      frames_{std::move(what.what), call_, spoken_}, over_{std::move(over)}, timer_{home, [this] {
                                                                                      on_time();
                                                                                    }} {}

void running_answer::wait() {
  const auto self = shared_from_this();
  to_->watch([weak = weak_from_this()](response_signal what) {
    if (auto alive = weak.lock())
      alive->on_signal(what);
  });
}

void running_answer::begin() {
  const auto self = shared_from_this();
  const auto& what = frames_.what();
  if (is_over_ || what.end == ending::silent)
    return;
  auto wait = what.delay;
  if (!call_.stream)
    wait += std::chrono::duration_cast<std::chrono::milliseconds>(
        what.interval * static_cast<int64_t>(tokens_of(what)));
  if (wait.count() > 0)
    timer_.start(wait);
  else
    on_time();
}

void running_answer::on_signal(response_signal what) {
  const auto self = shared_from_this();
  if (what == response_signal::gone)
    return end(outcome::aborted);
  if (std::exchange(is_full_, false))
    stream();
}

void running_answer::on_time() {
  const auto self = shared_from_this();
  if (is_over_)
    return;
  if (is_cutting_) {
    const auto to = to_;
    end(outcome::completed);
    to->reset();
  } else if (call_.stream) {
    stream();
  } else {
    answer_whole();
  }
}

/// Returns whether the next token's time has come; else the timer is set to it.
bool running_answer::is_due() {
  const auto interval = frames_.what().interval;
  if (interval.count() == 0 || !frames_.next_is_token())
    return true;
  const auto wait = started_ + interval * static_cast<int64_t>(frames_.tokens()) - clock::now();
  if (wait.count() <= 0)
    return true;
  timer_.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
  return false;
}

/// Returns whether the client takes more. Writing may end the answer.
bool running_answer::flush(json_buffer& piece) {
  is_full_ = piece.size() > 0 && !to_->write(view(piece));
  piece.clear();
  return !is_full_ && !is_over_;
}

void running_answer::stream() {
  if (!std::exchange(is_started_, true)) {
    started_ = clock::now();
    to_->start(200, stream_head(stream_type_of(spoken_, call_)));
  }
  json_buffer piece;
  while (!is_over_ && !frames_.done()) {
    if (!is_due()) {
      flush(piece);
      if (is_full_)
        timer_.stop();
      return;
    }
    frames_.next(piece);
    if (frames_.done())
      break;
    if (piece.size() >= piece_bytes && !flush(piece))
      return;
  }
  if (!is_over_)
    to_->write(view(piece));
  close_stream();
}

void running_answer::close_stream() {
  if (is_over_)
    return;
  switch (frames_.what().end) {
  case ending::cut:
    is_cutting_ = true;
    timer_.start(before_cut);
    return;
  case ending::stall:
    return;
  default:
    break;
  }
  const auto to = to_;
  end(outcome::completed);
  to->finish();
}

/// Answers a request without `stream`. An answer that is cut breaks off in the middle of its body.
void running_answer::answer_whole() {
  static const headers fields{{"content-type", "application/json"}};
  auto body = spoken_.whole(frames_.what(), call_);
  if (frames_.what().end == ending::whole) {
    const auto to = to_;
    end(outcome::completed);
    to->send(200, fields, std::move(body));
    return;
  }
  to_->start(200, fields);
  to_->write(std::string_view{body}.substr(0, body.size() / 2));
  close_stream();
}

void running_answer::end(outcome how) {
  if (std::exchange(is_over_, true))
    return;
  timer_.stop();
  to_.reset();
  const auto told = std::move(over_);
  over_ = nullptr;
  told(*this, how);
}

} // namespace troupe::scripted

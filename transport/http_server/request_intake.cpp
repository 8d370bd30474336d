#include "transport/http_server/request_intake.hpp"

namespace troupe {

request_intake::result request_intake::read(std::string_view& bytes) {
  const auto before = reader_.now();
  const auto got = reader_.body_bytes();
  const auto outcome = reader_.read(bytes);
  if (outcome == request_reader::outcome::admit) {
    began_ = moved_ = clock::now();
    if (!is_let_in())
      return failed_ ? result::refused : result::declined;
    return streamed_ ? result::streamed : read(bytes);
  }
  // An extension of a chunk is no progress.
  if (outcome == request_reader::outcome::more &&
      (before != reader_.now() || reader_.body_bytes() > got))
    moved_ = clock::now();
  return streamed_ ? pass_on(outcome) : result_of(outcome);
}

request_intake::result request_intake::result_of(request_reader::outcome outcome) const {
  switch (outcome) {
  case request_reader::outcome::complete:
    return result::request;
  case request_reader::outcome::refused:
    return answers_too_large_ && reader_.is_too_large() ? result::declined : result::refused;
  default:
    return result::more;
  }
}

/// Gives the sink what was read of the body.
request_intake::result request_intake::pass_on(request_reader::outcome outcome) {
  if (outcome == request_reader::outcome::refused || reader_.body().empty())
    return result_of(outcome);
  auto wish = body_sink::wish::stop;
  try {
    wish = streamed_->sink->take(reader_.body());
  } catch (...) { // the callers are C frames, which no exception may cross
    failed_ = true;
    return result::refused; // a request without these bytes would be another one
  }
  reader_.pass_on();
  streamed_->held = wish == body_sink::wish::wait;
  if (wish == body_sink::wish::stop && outcome == request_reader::outcome::more)
    return result::declined;
  return result_of(outcome);
}

void request_intake::watch(loop& home, server_connection& connection) {
  streamed_->waker = std::make_shared<body_waker>(body_waker{home, &connection});
  streamed_->sink->watch(waking_call(streamed_->waker));
}

void request_intake::go_on() {
  streamed_->held = false;
  moved_ = clock::now();
}

bool request_intake::is_let_in() {
  asked_ = true;
  auto& request = reader_.admitted();
  request.peer = peer_;
  auto permit = ask_gate(request);
  if (permit.max_body_bytes > 0)
    reader_.set_body_limit(permit.max_body_bytes);
  if (permit.sink)
    streamed_ = std::make_unique<streamed_body>(std::move(permit.sink));
  return permit.read;
}

body_permit request_intake::ask_gate(const server_request& request) {
  body_permit permit;
  try {
    if (gate_)
      permit = gate_(request);
  } catch (...) { // the callers are C frames, which no exception may cross
    failed_ = true;
    permit.read = false;
  }
  owner_ = std::move(permit.owner);
  answers_too_large_ = permit.answers_too_large;
  return permit;
}

request_head request_intake::take() {
  served_ = true;
  const bool too_large = reader_.is_too_large();
  auto out = reader_.take();
  out.request.peer = peer_;
  out.request.too_large = too_large;
  if (const auto streamed = std::move(streamed_))
    out.request.taken = std::move(streamed->sink);
  // Without a body only the owner is of interest: who pays for the answer, or for a WebSocket.
  if (!std::exchange(asked_, false))
    ask_gate(out.request);
  failed_ = false; // who pays is not known then
  return out;
}

void request_intake::drop() {
  std::string{}.swap(kept);
  asked_ = false;
  failed_ = false;
  streamed_.reset();
  reader_.drop();
}

bool request_intake::is_overdue(clock::time_point now) const {
  switch (reader_.now()) {
  case request_reader::state::idle:
    return false;
  case request_reader::state::head:
    return now - moved_ > limits_.header_timeout;
  case request_reader::state::body:
    break;
  }
  if (now - moved_ > limits_.body_timeout || is_body_slow(now))
    return true;
  return !streamed_ && now - began_ > limits_.body_total; // a large file takes its time
}

/// The beginning is not counted: a client may have to think, and TCP begins slowly.
bool request_intake::is_body_slow(clock::time_point now) const {
  const auto counted = now - began_ - limits_.header_timeout;
  return counted > clock::duration::zero() && static_cast<double>(reader_.body_bytes()) <
                                                  std::chrono::duration<double>(counted).count() *
                                                      static_cast<double>(limits_.least_body_rate);
}

} // namespace troupe

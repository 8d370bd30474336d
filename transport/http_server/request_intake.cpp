#include "transport/http_server/request_intake.hpp"

#include <utility>

namespace troupe {

request_intake::~request_intake() {
  if (waker_)
    waker_->connection = nullptr;
}

request_intake::result request_intake::read(std::string_view& bytes) {
  const auto before = reader_.now();
  const auto got = reader_.body_bytes();
  const auto outcome = reader_.read(bytes);
  if (outcome == request_reader::outcome::admit) {
    began_ = moved_ = clock::now();
    if (!is_let_in())
      return result::declined;
    return sink_ ? result::streamed : read(bytes);
  }
  // An extension of a chunk is no progress.
  if (outcome == request_reader::outcome::more &&
      (before != reader_.now() || reader_.body_bytes() > got))
    moved_ = clock::now();
  return sink_ ? pass_on(outcome) : result_of(outcome);
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
    wish = sink_->take(reader_.body());
  } catch (...) { // the callers are C frames, which no exception may cross
  }
  reader_.pass_on();
  held_ = wish == body_sink::wish::wait;
  if (wish == body_sink::wish::stop && outcome == request_reader::outcome::more)
    return result::declined;
  return result_of(outcome);
}

void request_intake::watch(loop& home, server_connection& connection) {
  waker_ = std::make_shared<body_waker>(body_waker{home, &connection});
  sink_->watch(waking_call(waker_));
}

void request_intake::go_on() {
  held_ = false;
  moved_ = clock::now();
}

bool request_intake::is_let_in() {
  asked_ = true;
  auto& request = reader_.admitted();
  request.peer = peer_;
  max_body_ = 0;
  const bool let_in = ask_gate(request);
  if (max_body_ > 0)
    reader_.set_body_limit(max_body_);
  return let_in;
}

bool request_intake::ask_gate(const server_request& request) {
  owner_.clear();
  answers_too_large_ = false;
  if (!gate_)
    return true;
  try {
    auto permit = gate_(request);
    owner_ = std::move(permit.owner);
    answers_too_large_ = permit.answers_too_large;
    sink_ = std::move(permit.sink);
    if (permit.max_body_bytes > 0)
      max_body_ = permit.max_body_bytes;
    return permit.read;
  } catch (...) { // the callers are C frames, which no exception may cross
    return false;
  }
}

request_head request_intake::take() {
  served_ = true;
  const bool too_large = reader_.is_too_large();
  auto out = reader_.take();
  out.request.peer = peer_;
  out.request.too_large = too_large;
  out.request.taken = std::move(sink_);
  held_ = false;
  // Without a body only the owner is of interest: who pays for the answer, or for a WebSocket.
  if (!std::exchange(asked_, false)) {
    ask_gate(out.request);
    sink_.reset(); // there is nothing to take
  }
  return out;
}

void request_intake::drop() {
  std::string{}.swap(kept);
  asked_ = false;
  sink_.reset();
  held_ = false;
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
  return !sink_ && now - began_ > limits_.body_total; // a large file takes its time
}

/// The beginning is not counted: a client may have to think, and TCP begins slowly.
bool request_intake::is_body_slow(clock::time_point now) const {
  const auto counted = now - began_ - limits_.header_timeout;
  return counted > clock::duration::zero() && static_cast<double>(reader_.body_bytes()) <
                                                  std::chrono::duration<double>(counted).count() *
                                                      static_cast<double>(limits_.least_body_rate);
}

} // namespace troupe

#include "transport/http_server/request_intake.hpp"

#include <utility>

namespace troupe {

request_intake::result request_intake::read(std::string_view& bytes) {
  const auto before = reader_.now();
  const auto got = reader_.body_bytes();
  auto outcome = reader_.read(bytes);
  if (outcome == request_reader::outcome::admit) {
    began_ = moved_ = clock::now();
    if (!is_let_in())
      return result::declined;
    outcome = reader_.read(bytes);
  }
  switch (outcome) {
  case request_reader::outcome::complete:
    return result::request;
  case request_reader::outcome::refused:
    return result::refused;
  default:
    // An extension of a chunk is no progress.
    if (before != reader_.now() || reader_.body_bytes() > got)
      moved_ = clock::now();
    return result::more;
  }
}

bool request_intake::is_let_in() {
  asked_ = true;
  auto& request = reader_.admitted();
  request.peer = peer_;
  return ask_gate(request);
}

bool request_intake::ask_gate(const server_request& request) {
  owner_.clear();
  if (!gate_)
    return true;
  try {
    auto permit = gate_(request);
    owner_ = std::move(permit.owner);
    return permit.read;
  } catch (...) { // the callers are C frames, which no exception may cross
    return false;
  }
}

request_head request_intake::take() {
  served_ = true;
  auto out = reader_.take();
  out.request.peer = peer_;
  // Without a body only the owner is of interest: who pays for the answer, or for a WebSocket.
  if (!std::exchange(asked_, false))
    ask_gate(out.request);
  return out;
}

void request_intake::drop() {
  std::string{}.swap(kept);
  asked_ = false;
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
  return now - moved_ > limits_.body_timeout || now - began_ > limits_.body_total ||
         is_body_slow(now);
}

/// The beginning is not counted: a client may have to think, and TCP begins slowly.
bool request_intake::is_body_slow(clock::time_point now) const {
  const auto counted = now - began_ - limits_.header_timeout;
  return counted > clock::duration::zero() && static_cast<double>(reader_.body_bytes()) <
                                                  std::chrono::duration<double>(counted).count() *
                                                      static_cast<double>(limits_.least_body_rate);
}

} // namespace troupe

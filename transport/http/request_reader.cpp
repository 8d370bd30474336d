#include "transport/http/request_reader.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr uint64_t max_reserve = 16 * 1024; // the announced length may be false

} // namespace

request_reader::outcome request_reader::refuse(const http_refusal& why) {
  why_ = why;
  incoming_.reset();
  return outcome::refused;
}

/// Keeps the head: somebody may want to answer.
request_reader::outcome request_reader::refuse_body() {
  why_ = refusal::body_too_large;
  std::string{}.swap(incoming_->head.request.body);
  return outcome::refused;
}

void request_reader::set_body_limit(size_t max_bytes) {
  incoming_->max_body = max_bytes;
  if (incoming_->chunks)
    incoming_->chunks.emplace(max_bytes);
}

void request_reader::pass_on() {
  if (!incoming_)
    return;
  auto& body = incoming_->head.request.body;
  incoming_->passed += body.size();
  body.clear();
}

request_reader::outcome request_reader::read(std::string_view& bytes) {
  if (why_)
    return outcome::refused;
  if (state_ == state::idle) {
    // Some clients put an empty line after a body.
    bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
    if (bytes.empty())
      return outcome::more;
    state_ = state::head;
  }
  if (state_ == state::head)
    return read_head(bytes);
  return read_body(bytes);
}

request_reader::outcome request_reader::read_head(std::string_view& bytes) {
  const auto size = finder_.find(bytes);
  if (finder_.broken())
    return refuse(refusal::malformed);
  if (size > max_header_ || (size == 0 && bytes.size() > max_header_))
    return refuse(refusal::head_too_large);
  if (size == 0)
    return outcome::more;
  finder_ = {};
  incoming_ = std::make_unique<incoming>();
  auto& head = incoming_->head;
  if (const auto refused = parse_head(bytes.substr(0, size), head))
    return refuse(refused);
  bytes.remove_prefix(size);
  const auto length = head.content_length.value_or(0);
  incoming_->max_body = max_body_;
  if (!head.chunked && length == 0)
    return outcome::complete;
  if (head.chunked)
    incoming_->chunks.emplace(max_body_);
  else
    head.request.body.reserve(std::min(length, max_reserve));
  wants_continue_ = head.expect_continue && bytes.empty();
  state_ = state::body;
  return outcome::admit;
}

request_reader::outcome request_reader::read_body(std::string_view& bytes) {
  if (incoming_->chunks)
    return read_chunks(bytes);
  if (*incoming_->head.content_length > incoming_->max_body)
    return refuse_body();
  auto& body = incoming_->head.request.body;
  const auto left = *incoming_->head.content_length - body_bytes();
  const auto size = std::min<uint64_t>(left, bytes.size());
  if (const auto needed = body.size() + size; needed > body.capacity())
    body.reserve(std::max<uint64_t>(needed, std::min<uint64_t>(body.size() + left, 2 * needed)));
  body.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return size == left ? outcome::complete : outcome::more;
}

request_reader::outcome request_reader::read_chunks(std::string_view& bytes) {
  switch (incoming_->chunks->read(bytes, incoming_->head.request.body)) {
  case chunk_reader::state::more:
    return outcome::more;
  case chunk_reader::state::done:
    return outcome::complete;
  case chunk_reader::state::broken:
    return refuse(refusal::malformed);
  case chunk_reader::state::too_large:
    break;
  }
  return refuse_body();
}

request_head request_reader::take() {
  state_ = state::idle;
  wants_continue_ = false;
  auto out = std::move(incoming_->head);
  incoming_.reset();
  return out;
}

} // namespace troupe

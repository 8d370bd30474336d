#include "transport/http/request_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace troupe {

// -- chunked --------------------------------------------------------------------------------------

namespace {

constexpr unsigned max_size_digits = 8;
constexpr size_t max_overhead = 16 * 1024;

} // namespace

void append_chunk(std::string& out, std::string_view bytes) {
  if (bytes.empty())
    return;
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  out.append(size.data(), end);
  out.append("\r\n");
  out.append(bytes);
  out.append("\r\n");
}

chunk_reader::state chunk_reader::size_digit(char c) {
  int digit = -1;
  if (c >= '0' && c <= '9')
    digit = c - '0';
  else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
    digit = (c | 0x20) - 'a' + 10;
  if (digit >= 0) {
    left_ = left_ * 16 + static_cast<unsigned>(digit);
    return ++digits_ > max_size_digits ? state::too_large : state::more;
  }
  if (digits_ == 0)
    return state::broken;
  if (c == '\r')
    place_ = place::size_feed;
  else if (c == ';' || c == ' ' || c == '\t')
    place_ = place::extension;
  else
    return state::broken;
  return state::more;
}

chunk_reader::state chunk_reader::trailer_char(char c) {
  if (c == '\n' && line_length_ == 0)
    return state::broken;
  if (c == '\r') {
    place_ = place::end_feed;
    return state::more;
  }
  ++line_length_;
  return c == '\n' || ++overhead_ > max_overhead ? state::broken : state::more;
}

/// Takes one character outside of chunk data.
chunk_reader::state chunk_reader::step(char c) {
  switch (place_) {
  case place::size:
    return size_digit(c);
  case place::extension:
    if (c == '\r')
      place_ = place::size_feed;
    return c == '\n' || ++overhead_ > max_overhead ? state::broken : state::more;
  case place::size_feed:
    place_ = left_ == 0 ? place::trailer : place::data;
    total_ += left_;
    if (total_ > limit_)
      return state::too_large;
    return c == '\n' ? state::more : state::broken;
  case place::data_return:
    place_ = place::data_feed;
    return c == '\r' ? state::more : state::broken;
  case place::data_feed:
    place_ = place::size;
    digits_ = 0;
    return c == '\n' ? state::more : state::broken;
  case place::trailer:
    return trailer_char(c);
  case place::end_feed:
    if (c != '\n')
      return state::broken;
    place_ = place::trailer;
    return std::exchange(line_length_, 0) == 0 ? state::done : state::more;
  case place::data:
    break;
  }
  return state::broken;
}

chunk_reader::state chunk_reader::read(std::string_view& bytes, std::string& body) {
  while (!bytes.empty()) {
    if (place_ == place::data) {
      const auto size = static_cast<size_t>(std::min<uint64_t>(left_, bytes.size()));
      body.append(bytes.substr(0, size));
      bytes.remove_prefix(size);
      left_ -= size;
      if (left_ == 0)
        place_ = place::data_return;
      continue;
    }
    const char c = bytes.front();
    bytes.remove_prefix(1);
    if (const auto now = step(c); now != state::more)
      return now;
  }
  return state::more;
}

// -- request reader -------------------------------------------------------------------------------

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

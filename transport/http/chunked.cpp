#include "transport/http/chunked.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace troupe {

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

} // namespace troupe

#include "messages/wire/json/surrogate_joiner.hpp"

#include <charconv>
#include <utility>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/json/json_unescape.hpp"

namespace troupe {

namespace {

constexpr size_t half_bytes = 3;

/// Returns the half that `text` begins with, or 0.
uint16_t half_at_start(std::string_view text) noexcept {
  auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (text.size() < half_bytes || byte(0) != 0xED || byte(1) < 0xA0)
    return 0;
  return static_cast<uint16_t>(0xD000 | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F));
}

/// Returns the half that `text` ends with, or 0.
uint16_t half_at_end(std::string_view text) noexcept {
  return text.size() < half_bytes ? uint16_t{0}
                                  : half_at_start(text.substr(text.size() - half_bytes));
}

constexpr size_t escape_bytes = 6;

/// Returns the half that the escape at `at` stands for, or 0.
uint16_t half_of_escape(std::string_view text, size_t at) noexcept {
  uint16_t code = 0;
  if (text.size() < at + escape_bytes || text[at] != '\\' || text[at + 1] != 'u')
    return 0;
  const auto* end = text.data() + at + escape_bytes;
  auto read = std::from_chars(end - 4, end, code, 16);
  return read.ptr == end && (is_high_half(code) || is_low_half(code)) ? code : uint16_t{0};
}

std::string_view inside_of(std::string_view value) {
  if (kind_of(value) != json_kind::string)
    return {};
  return value.substr(1, value.size() - 2);
}

} // namespace

void append_half(std::string& out, uint16_t half) {
  out.push_back(static_cast<char>(0xED));
  out.push_back(static_cast<char>(0x80 | ((half >> 6) & 0x3F)));
  out.push_back(static_cast<char>(0x80 | (half & 0x3F)));
}

bool replace_lone_halves(std::string& json) {
  std::string out;
  size_t copied = 0;
  for (auto at = json.find('\\'); at != std::string::npos;) {
    auto half = half_of_escape(json, at);
    auto is_pair = is_high_half(half) && is_low_half(half_of_escape(json, at + escape_bytes));
    auto next = at + (half == 0 ? 2 : is_pair ? 2 * escape_bytes : escape_bytes);
    if (half != 0 && !is_pair) {
      out.append(json, copied, at - copied).append(utf8_replacement);
      copied = next;
    }
    at = json.find('\\', next);
  }
  if (copied == 0)
    return false;
  out.append(json, copied);
  json = std::move(out);
  return true;
}

std::string json_string_piece(std::string_view value) {
  auto literal = inside_of(value);
  auto slash = literal.find('\\');
  return slash == std::string_view::npos ? std::string{literal}
                                         : unescaped(literal, slash, lone_halves::kept_at_ends);
}

std::string surrogate_joiner::read(std::string_view value) {
  auto literal = inside_of(value);
  auto slash = literal.find('\\');
  if (slash == std::string_view::npos && !waits()) // the usual case
    return std::string{literal};
  auto piece = json_string_piece(value);
  if (!waits() && half_at_start(piece) == 0 && half_at_end(piece) == 0)
    return piece;
  std::string out;
  append(out, piece);
  return out;
}

void surrogate_joiner::append(std::string& out, std::string_view piece) {
  if (piece.empty())
    return;
  auto first = half_at_start(piece);
  if (waits() && is_low_half(first)) {
    append_code_point(out, pair_of(high_, first));
    piece.remove_prefix(half_bytes);
    high_ = 0;
  } else {
    flush(out);
    if (is_low_half(first)) {
      out.append(utf8_replacement);
      piece.remove_prefix(half_bytes);
    }
  }
  if (auto last = half_at_end(piece); is_high_half(last)) {
    high_ = last;
    piece.remove_suffix(half_bytes);
  }
  out.append(piece);
}

void surrogate_joiner::flush(std::string& out) {
  if (waits())
    out.append(utf8_replacement);
  high_ = 0;
}

} // namespace troupe

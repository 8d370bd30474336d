#include "messages/utf8.hpp"

#include <cstdint>

namespace troupe {

namespace {

/// The properties of a lead byte: the length of its character, and the range of the second byte
/// (which rules out overlong forms, surrogates and values above U+10FFFF).
struct lead {
  size_t bytes;
  uint8_t low;
  uint8_t high;
};

constexpr lead lead_of(uint8_t byte) noexcept {
  if (byte < 0xC2)
    return {0, 0, 0};
  if (byte < 0xE0)
    return {2, 0x80, 0xBF};
  if (byte < 0xF0)
    return {3, static_cast<uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
  if (byte < 0xF5)
    return {4, static_cast<uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
            static_cast<uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
  return {0, 0, 0};
}

} // namespace

utf8_unit utf8_at(std::string_view text, size_t at) noexcept {
  auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(at) < 0x80)
    return {1, true};
  auto [bytes, low, high] = lead_of(byte(at));
  if (bytes == 0 || at + 1 >= text.size() || byte(at + 1) < low || byte(at + 1) > high)
    return {1, false};
  for (size_t i = 2; i < bytes; ++i)
    if (at + i >= text.size() || (byte(at + i) & 0xC0) != 0x80)
      return {i, false};
  return {bytes, true};
}

void remove_byte_order_mark(std::string& text) {
  if (text.starts_with(byte_order_mark))
    text.erase(0, byte_order_mark.size());
}

std::string_view without_byte_order_mark(std::string_view text) noexcept {
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  return text;
}

bool begins_like_utf16(std::string_view text) noexcept {
  const bool marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  const auto first = text.substr(marked ? 2 : 0, 2);
  return first.size() == 2 && (first[0] == '\0') != (first[1] == '\0') &&
         (marked || first.find_first_of("{[") != std::string_view::npos);
}

void append_utf8(std::string& out, std::string_view text) {
  size_t from = 0;
  size_t at = 0;
  while (at < text.size()) {
    auto unit = utf8_at(text, at);
    if (!unit.valid) {
      out.append(text.substr(from, at - from)).append(utf8_replacement);
      from = at + unit.bytes;
    }
    at += unit.bytes;
  }
  out.append(text.substr(from));
}

void append_code_point(std::string& out, char32_t code) {
  auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  auto tail = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    tail(0);
  } else if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) {
    out.append(utf8_replacement);
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string_view utf8_prefix(std::string_view text, size_t max_bytes) noexcept {
  if (text.size() <= max_bytes)
    return text;
  auto end = max_bytes;
  while (end > 0 && max_bytes - end < 4 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.substr(0, end);
}

} // namespace troupe

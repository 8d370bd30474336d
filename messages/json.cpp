#include "messages/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Whether a byte is printable ASCII that stands for itself in a JSON string.
constexpr auto plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x80; ++byte)
    plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

/// Sets the top bit of each byte that is not plain. A borrow can set wrong bits above the lowest
/// correct one, never below it: only the lowest set bit may be used.
constexpr uint64_t special_bytes(uint64_t word) noexcept {
  constexpr uint64_t ones = 0x0101010101010101;
  constexpr uint64_t tops = 0x8080808080808080;
  auto zeros = [](uint64_t x) { return (x - ones) & ~x; };
  auto controls = (word - ones * 0x20) & ~word;
  return (controls | zeros(word ^ (ones * '"')) | zeros(word ^ (ones * '\\')) | word) & tops;
}

/// The same as append_raw, but faster for many short pieces.
void append_piece(json_buffer& out, std::string_view text) {
  auto before = out.size();
  out.resize(before + text.size());
  std::copy(text.begin(), text.end(), out.data() + before); // memcpy must not get a null pointer
}

/// Returns where the run of plain characters from `at` on ends.
size_t end_of_plain(std::string_view text, size_t at) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    for (; at + 8 <= text.size(); at += 8) {
      uint64_t word;
      std::memcpy(&word, text.data() + at, 8);
      if (auto marks = special_bytes(word))
        return at + static_cast<size_t>(std::countr_zero(marks)) / 8;
    }
  }
  while (at < text.size() && plain_bytes[static_cast<uint8_t>(text[at])])
    ++at;
  return at;
}

void append_escape(json_buffer& out, char c) {
  constexpr std::string_view named = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  if (auto i = named.find(c); i != std::string_view::npos) {
    const char text[] = {'\\', letters[i]};
    out.append(text, text + sizeof text);
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  auto byte = static_cast<uint8_t>(c);
  const char text[] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
  out.append(text, text + sizeof text);
}

} // namespace

void append_escaped(json_buffer& out, std::string_view text) {
  size_t from = 0; // start of the text that needs no escape
  size_t at = end_of_plain(text, 0);
  while (at < text.size()) {
    auto unit = utf8_at(text, at);
    auto ascii = static_cast<uint8_t>(text[at]) < 0x80;
    if (ascii || !unit.valid) {
      append_piece(out, text.substr(from, at - from));
      if (ascii)
        append_escape(out, text[at]);
      else
        append_raw(out, utf8_replacement);
      from = at + unit.bytes;
    }
    at = end_of_plain(text, at + unit.bytes);
  }
  append_piece(out, text.substr(from));
}

void append_json(json_buffer& out, std::string_view text) {
  out.push_back('"');
  append_escaped(out, text);
  out.push_back('"');
}

void append_json(json_buffer& out, double number) {
  if (std::isfinite(number))
    fmt::format_to(std::back_inserter(out), "{}", number);
  else
    append_raw(out, "null");
}

} // namespace troupe

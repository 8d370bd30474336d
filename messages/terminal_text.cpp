#include "messages/terminal_text.hpp"

#include <cstdint>

namespace troupe {

namespace {

/// Returns the length of a control character of more than one byte that the text ends with, or 0.
size_t long_control(std::string_view text) {
  const auto byte = [&](size_t from_end) {
    return static_cast<uint8_t>(from_end <= text.size() ? text[text.size() - from_end] : 0);
  };
  if (byte(2) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) // U+0080 to U+009F
    return 2;
  if (byte(3) != 0xE2)
    return 0;
  const bool overrides = byte(2) == 0x80 && byte(1) >= 0xAA && byte(1) <= 0xAE; // U+202A to U+202E
  const bool isolates = byte(2) == 0x81 && byte(1) >= 0xA6 && byte(1) <= 0xA9;  // U+2066 to U+2069
  return overrides || isolates ? 3 : 0;
}

} // namespace

std::string terminal_text(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte >= 0x20 && byte != 0x7F)
      out.push_back(c);
    else if (byte == '\n' || byte == '\t')
      out.push_back(lines ? c : ' ');
    // Looked for in the output: two halves become one when a character between them is left out.
    out.resize(out.size() - long_control(out));
  }
  return out;
}

} // namespace troupe

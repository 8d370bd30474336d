#include "messages/terminal_text.hpp"

#include <cstdint>

namespace troupe {

namespace {

/// Returns the length of a control character of more than one byte that the text begins with, or 0.
size_t long_control(std::string_view text) {
  const auto byte = [&](size_t at) {
    return static_cast<uint8_t>(at < text.size() ? text[at] : 0);
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) // U+0080 to U+009F
    return 2;
  if (byte(0) != 0xE2)
    return 0;
  const bool overrides = byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE; // U+202A to U+202E
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;  // U+2066 to U+2069
  return overrides || isolates ? 3 : 0;
}

} // namespace

std::string terminal_text(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (const auto skipped = long_control(text.substr(at)); skipped > 0)
      at += skipped - 1;
    else if (byte >= 0x20 && byte != 0x7F)
      out.push_back(text[at]);
    else if (byte == '\n' || byte == '\t')
      out.push_back(lines ? text[at] : ' ');
  }
  return out;
}

} // namespace troupe

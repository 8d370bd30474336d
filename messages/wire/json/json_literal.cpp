#include "messages/wire/json/json_literal.hpp"

#include <cstdint>

#include "messages/utf8.hpp"

namespace troupe {

size_t end_of_json_string(std::string_view text, size_t at) noexcept {
  while (at < text.size()) {
    auto byte = static_cast<uint8_t>(text[at]);
    if (byte == '"')
      return at;
    if (byte < 0x20)
      return std::string_view::npos;
    if (byte == '\\') {
      if (at + 1 == text.size() || static_cast<uint8_t>(text[at + 1]) < 0x20)
        return std::string_view::npos;
      ++at;
    }
    if (static_cast<uint8_t>(text[at]) < 0x80) { // the usual case
      ++at;
      continue;
    }
    auto unit = utf8_at(text, at);
    if (!unit.valid)
      return std::string_view::npos;
    at += unit.bytes;
  }
  return std::string_view::npos;
}

} // namespace troupe

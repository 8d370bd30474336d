#include "messages/printable.hpp"

#include <cstdint>

namespace troupe {

std::string printable(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    const auto next = at + 1 < text.size() ? static_cast<uint8_t>(text[at + 1]) : uint8_t{0};
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) // U+0080 to U+009F
      ++at;
    else if (byte >= 0x20 && byte != 0x7F)
      out.push_back(text[at]);
    else if (byte == '\n' || byte == '\t')
      out.push_back(lines ? text[at] : ' ');
  }
  return out;
}

} // namespace troupe

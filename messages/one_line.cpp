#include "messages/one_line.hpp"

#include <algorithm>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Returns the length of the tag at the start of `text`, 0 if there is none.
size_t tag_bytes(std::string_view text) {
  bool opens = text.size() > 1 && (text[1] == '/' || text[1] == '!' ||
                                   ((text[1] | 0x20) >= 'a' && (text[1] | 0x20) <= 'z'));
  auto end = opens ? text.find('>') : std::string_view::npos;
  return end == std::string_view::npos ? 0 : end + 1;
}

} // namespace

std::string one_line(std::string_view text, size_t max_bytes, markup tags) {
  std::string line;
  bool space = false;
  for (size_t at = 0; at < text.size() && line.size() <= max_bytes;) {
    auto tag = tags == markup::is_left_out && text[at] == '<' ? tag_bytes(text.substr(at)) : 0;
    auto byte = static_cast<uint8_t>(text[at]);
    if (tag > 0 || byte <= 0x20 || byte == 0x7F) {
      space = true;
      at += std::max<size_t>(tag, 1);
      continue;
    }
    if (space && !line.empty())
      line.push_back(' ');
    space = false;
    auto unit = utf8_at(text, at);
    line.append(unit.valid ? text.substr(at, unit.bytes) : utf8_replacement);
    at += unit.bytes;
  }
  if (line.size() > max_bytes)
    line = std::string{utf8_prefix(line, max_bytes)} + "...";
  return line;
}

} // namespace troupe

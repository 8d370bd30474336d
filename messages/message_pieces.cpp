#include "messages/message_pieces.hpp"

#include <algorithm>

namespace troupe {

void append_behind(std::string_view more, std::string& text, std::vector<message_file>& files) {
  text += more;
  for (auto& each : files)
    each.text_behind += more.size();
}

std::vector<message_piece> pieces_of(std::string_view text,
                                     const std::vector<message_file>& files) {
  std::vector<message_piece> pieces;
  const auto size = text.size();
  auto take = [&](size_t bytes) {
    const auto follows = text.size() < size && !pieces.empty(); // a text, and a file behind it
    const auto gap = follows && bytes > 0 && text.front() == '\n' ? size_t{1} : size_t{0};
    if (bytes > gap)
      pieces.push_back({text.substr(gap, bytes - gap)});
    text.remove_prefix(bytes);
  };
  for (const auto& each : files) {
    take(text.size() - std::min<size_t>(each.text_behind, text.size()));
    pieces.push_back({{}, &each});
  }
  take(text.size());
  return pieces;
}

} // namespace troupe

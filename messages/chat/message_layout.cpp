#include "messages/chat/message_layout.hpp"

#include <algorithm>

namespace troupe {

void piece_collector::append(std::string_view more, bool is_line) {
  const auto behind_file = places_.size() < files_.size();
  if (behind_file && more.empty())
    return; // an empty text after a file makes no line
  places_.resize(files_.size(), text_.size());
  if (behind_file ? !text_.empty() : is_line && begun_)
    text_ += '\n';
  begun_ = true;
  text_ += more;
}

void piece_collector::end() {
  places_.resize(files_.size(), text_.size());
  for (size_t i = 0; i < files_.size(); ++i)
    files_[i].text_behind = text_.size() - places_[i];
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

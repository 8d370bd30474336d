#include "transport/store/conversation_title.hpp"

#include "messages/utf8.hpp"

namespace troupe {

namespace {

bool is_space_or_control(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

} // namespace

std::string title_of(std::string_view text) {
  constexpr int longest_title = 80;
  std::string out;
  bool gap = false;
  int characters = 0;
  for (size_t at = 0; at < text.size();) {
    const auto unit = utf8_at(text, at);
    const auto piece = text.substr(at, unit.bytes);
    at += unit.bytes;
    if (piece.size() == 1 && is_space_or_control(piece.front())) {
      gap = !out.empty();
      continue;
    }
    characters += gap ? 2 : 1;
    if (characters > longest_title)
      break;
    if (gap)
      out.push_back(' ');
    gap = false;
    out.append(unit.valid ? piece : utf8_replacement);
  }
  return out;
}

void give_title(std::string& title, const std::vector<chat_message>& messages) {
  for (const auto& message : messages)
    if (title.empty() && message.who == role::user)
      title = title_of(message.text);
}

} // namespace troupe

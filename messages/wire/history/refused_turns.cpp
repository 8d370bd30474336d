#include "messages/wire/history/refused_turns.hpp"

#include <algorithm>
#include <iterator>

namespace troupe {

std::optional<std::vector<chat_message>>
without_refused_turns(const std::vector<chat_message>& history) {
  const auto first = std::ranges::find(history, true, &chat_message::refused);
  if (first == history.end())
    return std::nullopt;
  const auto from_user = std::find_if(history.rbegin(), history.rend(),
                                      [](const auto& each) { return each.who == role::user; });
  if (from_user == history.rend())
    return std::nullopt;
  const auto last = std::prev(from_user.base());
  if (first >= last)
    return std::nullopt;
  std::vector<chat_message> kept{history.begin(), first};
  auto is_of_refused = false;
  for (auto each = first; each != history.end(); ++each) {
    if (each->who == role::user)
      is_of_refused = each->refused && each != last;
    if (!is_of_refused || each->who == role::system)
      kept.push_back(*each);
  }
  return kept;
}

} // namespace troupe

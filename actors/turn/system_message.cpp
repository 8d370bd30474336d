#include "actors/turn/system_message.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "messages/wire/clients/ui/ui_steps.hpp"

namespace troupe {

namespace {

bool is_system(const chat_message& message) {
  return message.who == role::system;
}

/// Returns whether the history has this text as its only system message, or has none.
bool says_already(const std::vector<chat_message>& history, std::string_view text) {
  const auto count = std::count_if(history.begin(), history.end(), is_system);
  if (lacks_text(text))
    return count == 0;
  return count == 1 && is_system(history.front()) && history.front().text == text;
}

/// Answers that said nothing to a model are kept with the message before them.
std::vector<shown_part> answers_behind(chat_message& message) {
  const auto first = message.shown.begin() + static_cast<std::ptrdiff_t>(end_of_own(message.shown));
  return {std::make_move_iterator(first), std::make_move_iterator(message.shown.end())};
}

} // namespace

size_t set_system_message(std::vector<chat_message>& history, std::string_view text,
                          std::string id) {
  if (says_already(history, text))
    return history.size();
  std::vector<chat_message> kept;
  kept.reserve(history.size() + 1);
  if (!lacks_text(text)) {
    auto& made = kept.emplace_back();
    made.who = role::system;
    made.text = text;
    made.id = std::move(id);
  }
  for (auto& each : history)
    if (!is_system(each))
      kept.push_back(std::move(each));
    else if (auto behind = answers_behind(each); !behind.empty() && !kept.empty())
      show_behind(kept.back(), std::move(behind));
  history = std::move(kept);
  return 0;
}

} // namespace troupe

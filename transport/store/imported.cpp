#include "transport/store/imported.hpp"

#include <algorithm>

#include "transport/store/conversation_title.hpp"

namespace troupe {

namespace {

bool waits_for_approval(const chat_message& message) {
  return std::ranges::any_of(message.tool_calls,
                             [](const auto& each) { return each.approval != call_approval{}; });
}

} // namespace

int64_t imported_time(int64_t time_ms, int64_t now_ms) {
  return time_ms > 0 ? std::min(time_ms, now_ms) : now_ms;
}

std::string imported_title(const conversation& content) {
  auto title = content.info.title;
  for (const auto& each : content.messages)
    if (title.empty() && each.message.who == role::user)
      title = title_of(each.message.text);
  return title;
}

const chat_message& imported_message(const chat_message& message, chat_message& made) {
  if (!waits_for_approval(message))
    return message;
  made = message;
  for (auto& each : made.tool_calls)
    each.approval = {};
  return made;
}

turn_record imported_turn(turn_record turn) {
  if (turn.state == turn_state::running)
    turn.state = turn_state::interrupted;
  return turn;
}

} // namespace troupe

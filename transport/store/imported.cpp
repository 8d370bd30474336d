#include "transport/store/imported.hpp"

#include <algorithm>

#include "transport/store/conversation_title.hpp"
#include "transport/store/kept_message.hpp"
#include "transport/store/save_checks.hpp"

namespace troupe {

namespace {

bool waits_for_approval(const chat_message& message) {
  return std::ranges::any_of(message.tool_calls,
                             [](const auto& each) { return each.approval != call_approval{}; });
}

} // namespace

failure intake::begin(conversation_info& out) const {
  const auto& content = ask_.content;
  out.created_ms = time(content.info.created_ms);
  out.title = content.info.title;
  for (const auto& each : content.messages) {
    if (auto error = check_message(each.message))
      return error;
    if (out.title.empty() && each.message.who == role::user && !ask_.from.exact)
      out.title = title_of(each.message.text);
  }
  return check_message_count(content.messages.size());
}

int64_t intake::time(int64_t time_ms) const {
  if (ask_.from.exact)
    return time_ms;
  return time_ms > 0 ? std::min(time_ms, now_ms_) : now_ms_;
}

const chat_message& intake::message(const chat_message& message, chat_message& made) const {
  if (ask_.from.exact || !waits_for_approval(message))
    return message;
  made = message;
  for (auto& each : made.tool_calls)
    each.approval = {};
  return made;
}

turn_record intake::turn(turn_record turn) const {
  if (turn.state != turn_state::running)
    return turn;
  turn.state = turn_state::interrupted;
  if (!ask_.from.exact)
    return turn;
  turn.error = {errc::server_restarted, ""};
  turn.ended_ms = now_ms_;
  return turn;
}

bool intake::is_counted(const turn_record& turn) const {
  return ask_.from.exact && turn.state != turn_state::running &&
         turn.state != turn_state::interrupted;
}

uint64_t intake::version() const {
  const auto turns = uint64_t{ask_.content.turns.size()};
  return ask_.from.exact ? std::max(ask_.content.info.version, turns) : turns + 1;
}

} // namespace troupe

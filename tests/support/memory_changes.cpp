// How a store without a disk changes conversations.
#include <algorithm>
#include <utility>

#include "messages/chat/session_id.hpp"
#include "tests/support/memory_data.hpp"

namespace troupe::test {

namespace {

bool has_message(const conversation& in, const turn_record& of) {
  return std::any_of(in.messages.begin(), in.messages.end(),
                     [&](const auto& each) { return each.message.id == of.message_id; });
}

} // namespace

info_answer memory_data::change(const change_conversation& ask, uint64_t me) {
  if (ask.verb == conversation_verb::import)
    return import(ask);
  auto* chat = find(ask.session_id);
  if (chat == nullptr)
    return {{errc::conversation_unknown, ""}, {}};
  if (ask.if_version != 0 && ask.if_version != chat->kept.info.version)
    return {{errc::conversation_changed, ""}, chat->kept.info};
  if (ask.verb == conversation_verb::branch)
    return branch(ask, *chat);
  if (ask.verb == conversation_verb::remove)
    return remove(ask, *chat, me);
  if (ask.verb == conversation_verb::rename)
    chat->kept.info.title = ask.title;
  if (ask.verb == conversation_verb::override)
    chat->kept.overrides = ask.overrides;
  touch(*chat);
  return {{}, chat->kept.info};
}

info_answer memory_data::remove(const change_conversation& ask, const memory_chat& chat,
                                uint64_t me) {
  if (me != 0 && state_of(chat.fence, me) == claim_state::held_elsewhere)
    return {claim_fault(claim_state::held_elsewhere), chat.kept.info};
  auto info = chat.kept.info;
  info.version = 0;
  chats.erase(ask.session_id);
  return {{}, info};
}

info_answer memory_data::import(const change_conversation& ask) {
  if (find(ask.session_id) != nullptr)
    return {{errc::conversation_exists, ""}, {}};
  auto& chat = make(ask.session_id);
  chat.kept = ask.content;
  chat.kept.info.id = public_id(ask.session_id);
  chat.kept.info.version = 0;
  for (auto& each : chat.kept.messages)
    for (auto& call : each.message.tool_calls)
      call.approval = {};
  for (auto& each : chat.kept.turns)
    if (each.state == turn_state::running)
      each.state = turn_state::interrupted;
  touch(chat);
  if (ask.content.info.updated_ms > 0)
    chat.kept.info.updated_ms = ask.content.info.updated_ms;
  return {{}, chat.kept.info};
}

info_answer memory_data::branch(const change_conversation& ask, const memory_chat& from) {
  if (owner_of(ask.to) != owner_of(ask.session_id))
    return {{errc::request_invalid, "it has another owner"}, {}};
  if (find(ask.to) != nullptr)
    return {{errc::conversation_exists, ""}, {}};
  auto copy = from.kept;
  if (!ask.message_id.empty()) {
    auto last =
        std::find_if(copy.messages.rbegin(), copy.messages.rend(),
                     [&](const stored_message& each) { return each.message.id == ask.message_id; });
    if (last == copy.messages.rend())
      return {{errc::request_invalid, "there is no such message"}, {}};
    copy.messages.erase(last.base(), copy.messages.end());
  }
  std::erase_if(copy.turns, [&](const auto& turn) { return !has_message(copy, turn); });
  auto& made = make(ask.to);
  const auto created_ms = made.kept.info.created_ms;
  made.kept = std::move(copy);
  made.kept.info.id = public_id(ask.to);
  made.kept.info.created_ms = created_ms;
  if (!ask.title.empty())
    made.kept.info.title = ask.title;
  touch(made);
  return {{}, made.kept.info};
}

} // namespace troupe::test

#include "tests/support/memory_data.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"

namespace troupe::test {

namespace {

bool is_over(const turn_record& turn) {
  return turn.state != turn_state::running && turn.state != turn_state::interrupted;
}

bool is_same(const turn_record& a, const turn_record& b) {
  return a.turn_id == b.turn_id && a.started_ms == b.started_ms;
}

bool ends_with(const memory_chat& chat, const turn_record& turn) {
  const auto& turns = chat.kept.turns;
  return !turns.empty() && is_same(turns.back(), turn);
}

// -- claims ---------------------------------------------------------------------------------------

void take(memory_chat& chat, const save_chat& ask, uint64_t me, bool anew) {
  if (anew)
    chat.fence = {me, chat.fence.epoch + 1};
  if (!ask.turn.turn_id.empty())
    chat.turn_fence = {me, chat.fence.epoch};
  if (ask.claim.gives)
    chat.fence.node = 0;
}

uint64_t interrupt(memory_chat& chat) {
  uint64_t closed = 0;
  for (auto& turn : chat.kept.turns)
    if (turn.state == turn_state::running) {
      turn.state = turn_state::interrupted;
      turn.error = {errc::server_restarted, ""};
      ++closed;
    }
  if (chat.fence.node != 0)
    chat.fence = {0, chat.fence.epoch + 1};
  if (closed > 0)
    ++chat.kept.info.version;
  return closed;
}

// -- saves ----------------------------------------------------------------------------------------

bool fits(const save_chat& ask, const memory_chat* chat) {
  const auto version = chat == nullptr ? 0 : chat->kept.info.version;
  const auto stored = chat == nullptr ? 0 : chat->kept.messages.size();
  return (ask.if_version == 0 || ask.if_version == version) && ask.keep <= stored &&
         !(ask.creates && chat != nullptr && !ends_with(*chat, ask.turn));
}

void put(const turn_record& turn, memory_chat& chat) {
  auto& turns = chat.kept.turns;
  auto found = std::find_if(turns.begin(), turns.end(),
                            [&](const auto& each) { return each.turn_id == turn.turn_id; });
  if (found != turns.end() && is_same(*found, turn)) {
    *found = turn;
  } else {
    if (found != turns.end())
      turns.erase(found); // its id is used again
    turns.push_back(turn);
    chat.events.clear();
  }
  if (is_over(turn) || !turn.resumable)
    chat.events.clear();
}

} // namespace

claim_state state_of(const chat_fence& fence, uint64_t me) {
  if (fence.node == 0)
    return claim_state::none;
  return fence.node == me ? claim_state::held : claim_state::held_elsewhere;
}

memory_chat* memory_data::find(const std::string& session_id) {
  auto found = chats.find(session_id);
  return found == chats.end() ? nullptr : &found->second;
}

chat_record memory_data::load(const load_chat& ask, uint64_t me) {
  chat_record out;
  out.session_id = ask.session_id;
  out.number = ask.number;
  auto* chat = find(ask.session_id);
  if (chat == nullptr)
    return out;
  out.version = chat->kept.info.version;
  for (const auto& each : chat->kept.messages)
    out.history.push_back(each.message);
  out.overrides = chat->kept.overrides;
  if (!chat->kept.turns.empty())
    out.last_turn = chat->kept.turns.back();
  if (out.last_turn.resumable && !is_over(out.last_turn))
    out.events = chat->events;
  out.fence = chat->fence;
  out.claim = state_of(chat->fence, me);
  return out;
}

save_answer memory_data::save(const save_chat& ask, uint64_t me) {
  auto* chat = find(ask.session_id);
  save_answer out{ask.session_id, ask.number, 0, {}};
  bool anew = false;
  if (me != 0)
    out.claim = claim_of(ask, chat, me, anew);
  out.error = claim_fault(out.claim);
  if (!out.error && !fits(ask, chat))
    out.error = {errc::conversation_changed, ""};
  if (!out.error) {
    chat = chat == nullptr ? &make(ask.session_id) : chat;
    if (me != 0)
      take(*chat, ask, me, anew);
    apply(ask, *chat);
    out.claim = state_of(chat->fence, me);
  }
  if (chat != nullptr) {
    out.version = chat->kept.info.version;
    out.fence = chat->fence;
  }
  return out;
}

uint64_t memory_data::close_running_turns(uint64_t me) {
  uint64_t closed = 0;
  for (auto& [id, chat] : chats)
    if (me == 0 || dead.count(chat.fence.node) > 0)
      closed += interrupt(chat);
  return closed;
}

claim_state memory_data::claim_of(const save_chat& ask, memory_chat* chat, uint64_t me,
                                  bool& anew) {
  stored_claim now;
  if (chat != nullptr) {
    if (ask.claim.takes && dead.count(chat->fence.node) > 0)
      interrupt(*chat); // taken over, and not as the session has it any more
    now.version = chat->kept.info.version;
    now.fence = chat->fence;
    now.has_turn = chat->turn_fence == chat_fence{me, chat->fence.epoch} &&
                   !ask.turn.turn_id.empty() && ends_with(*chat, ask.turn);
  }
  return judge(ask.claim, now, me, anew);
}

memory_chat& memory_data::make(const std::string& session_id) {
  auto& chat = chats[session_id];
  chat.kept.info.id = public_id(session_id);
  chat.kept.info.created_ms = clock_ms;
  return chat;
}

void memory_data::touch(memory_chat& chat) {
  auto& info = chat.kept.info;
  info.messages = chat.kept.messages.size();
  info.updated_ms = ++clock_ms;
  ++info.version;
}

void memory_data::apply(const save_chat& ask, memory_chat& chat) {
  auto& kept = chat.kept;
  kept.messages.resize(ask.keep);
  for (const auto& each : ask.more) {
    kept.messages.push_back({each, clock_ms});
    if (kept.info.title.empty() && each.who == role::user)
      kept.info.title = each.text.substr(0, 80);
  }
  if (!ask.turn.turn_id.empty())
    put(ask.turn, chat);
  chat.events.insert(chat.events.end(), ask.events.begin(), ask.events.end());
  if (!ask.report.turn_id.empty())
    count(ask);
  touch(chat);
}

void memory_data::count(const save_chat& ask) {
  const auto turn =
      ask.session_id + '\n' + ask.turn.turn_id + '\n' + std::to_string(ask.turn.started_ms);
  if (!counted.insert(turn).second)
    return;
  ++row_of(ask, ask.report.model).turns;
  for (const auto& each : ask.report.requests) {
    auto& row = row_of(ask, each.model);
    ++row.requests;
    row.used += each.used;
  }
}

usage_row& memory_data::row_of(const save_chat& ask, const std::string& model) {
  const std::string owner{owner_of(ask.session_id)};
  auto& row = used[owner + '\n' + day + '\n' + model];
  row.day = day;
  row.model = model;
  return row;
}

} // namespace troupe::test

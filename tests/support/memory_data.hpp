// What a store of conversations holds, and what is done to it, without a disk.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "messages/store/store_port.hpp"

namespace troupe::test {

/// One conversation, the events of its last turn, and who runs it.
struct memory_chat {
  conversation kept;
  std::vector<event_batch> events;
  chat_fence fence;      ///< node 0: it is free
  chat_fence turn_fence; ///< under which its last turn was written
};

/// All that a store holds. Copied for a transaction. `me` is the node that asks; 0: there are no
/// other nodes, and claims mean nothing.
struct memory_data {
  std::map<std::string, memory_chat> chats; ///< by scoped id
  std::map<std::string, std::string> settings;
  std::map<std::string, api_key> keys;
  std::map<std::string, usage_row> used; ///< by owner, day and model
  std::set<std::string> counted;         ///< turns that are in `used`
  std::set<uint64_t> dead;               ///< nodes
  int64_t clock_ms = 1000;               ///< goes on with every change
  std::string day = "2026-11-21";        ///< of what is used

  memory_chat* find(const std::string& session_id) {
    auto found = chats.find(session_id);
    return found == chats.end() ? nullptr : &found->second;
  }

  chat_record load(const load_chat& ask, uint64_t me = 0) {
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

  save_answer save(const save_chat& ask, uint64_t me = 0) {
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

  info_answer change(const change_conversation& ask, uint64_t me = 0) {
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

  /// Of dead nodes, or of all if there are no others.
  uint64_t close_running_turns(uint64_t me = 0) {
    uint64_t closed = 0;
    for (auto& [id, chat] : chats)
      if (me == 0 || dead.count(chat.fence.node) > 0)
        closed += interrupt(chat);
    return closed;
  }

private:
  static bool is_over(const turn_record& turn) {
    return turn.state != turn_state::running && turn.state != turn_state::interrupted;
  }

  static bool is_same(const turn_record& a, const turn_record& b) {
    return a.turn_id == b.turn_id && a.started_ms == b.started_ms;
  }

  static bool ends_with(const memory_chat& chat, const turn_record& turn) {
    const auto& turns = chat.kept.turns;
    return !turns.empty() && is_same(turns.back(), turn);
  }

  // -- claims ------------------------------------------------------------------------------------

  static claim_state state_of(const chat_fence& fence, uint64_t me) {
    if (fence.node == 0)
      return claim_state::none;
    return fence.node == me ? claim_state::held : claim_state::foreign;
  }

  claim_state claim_of(const save_chat& ask, memory_chat* chat, uint64_t me, bool& anew) {
    chat_standing now;
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

  static void take(memory_chat& chat, const save_chat& ask, uint64_t me, bool anew) {
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

  // -- saves -------------------------------------------------------------------------------------

  static bool fits(const save_chat& ask, const memory_chat* chat) {
    const auto version = chat == nullptr ? 0 : chat->kept.info.version;
    const auto stored = chat == nullptr ? 0 : chat->kept.messages.size();
    return (ask.if_version == 0 || ask.if_version == version) && ask.keep <= stored &&
           !(ask.creates && chat != nullptr && !ends_with(*chat, ask.turn));
  }

  memory_chat& make(const std::string& session_id) {
    auto& chat = chats[session_id];
    chat.kept.info.id = public_id(session_id);
    chat.kept.info.created_ms = clock_ms;
    return chat;
  }

  void touch(memory_chat& chat) {
    auto& info = chat.kept.info;
    info.messages = chat.kept.messages.size();
    info.updated_ms = ++clock_ms;
    ++info.version;
  }

  void apply(const save_chat& ask, memory_chat& chat) {
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

  static void put(const turn_record& turn, memory_chat& chat) {
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

  void count(const save_chat& ask) {
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

  usage_row& row_of(const save_chat& ask, const std::string& model) {
    const std::string owner{owner_of(ask.session_id)};
    auto& row = used[owner + '\n' + day + '\n' + model];
    row.day = day;
    row.model = model;
    return row;
  }

  // -- changes -----------------------------------------------------------------------------------

  info_answer remove(const change_conversation& ask, const memory_chat& chat, uint64_t me) {
    if (me != 0 && state_of(chat.fence, me) == claim_state::foreign)
      return {claim_fault(claim_state::foreign), chat.kept.info};
    auto info = chat.kept.info;
    info.version = 0;
    chats.erase(ask.session_id);
    return {{}, info};
  }

  info_answer import(const change_conversation& ask) {
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

  info_answer branch(const change_conversation& ask, const memory_chat& from) {
    if (owner_of(ask.to) != owner_of(ask.session_id))
      return {{errc::request_invalid, "it has another owner"}, {}};
    if (find(ask.to) != nullptr)
      return {{errc::conversation_exists, ""}, {}};
    auto copy = from.kept;
    if (!ask.message_id.empty()) {
      auto last = std::find_if(
          copy.messages.rbegin(), copy.messages.rend(),
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

  static bool has_message(const conversation& in, const turn_record& of) {
    return std::any_of(in.messages.begin(), in.messages.end(),
                       [&](const auto& each) { return each.message.id == of.message_id; });
  }
};

} // namespace troupe::test

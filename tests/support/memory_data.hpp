// What a store of conversations holds, and what is done to it, without a disk.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "messages/store/store_port.hpp"

namespace troupe::test {

/// One conversation, and the events of its last turn.
struct memory_chat {
  conversation kept;
  std::vector<event_batch> events;
};

/// All that a store holds. Copied for a transaction.
struct memory_data {
  std::map<std::string, memory_chat> chats; ///< by scoped id
  std::map<std::string, std::string> settings;
  std::map<std::string, api_key> keys;
  std::map<std::string, usage_row> used; ///< by owner, day and model
  int64_t clock_ms = 1000;               ///< goes on with every change
  std::string day = "2026-11-21";        ///< of what is used

  memory_chat* find(const std::string& session_id) {
    auto found = chats.find(session_id);
    return found == chats.end() ? nullptr : &found->second;
  }

  chat_record load(const load_chat& ask) {
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
    auto cut = out.last_turn.state == turn_state::running ||
               out.last_turn.state == turn_state::interrupted;
    if (out.last_turn.resumable && cut)
      out.events = chat->events;
    return out;
  }

  save_answer save(const save_chat& ask) {
    auto* chat = find(ask.session_id);
    auto version = chat == nullptr ? 0 : chat->kept.info.version;
    save_answer out{ask.session_id, ask.number, version, {}};
    if (ask.if_version != 0 && ask.if_version != version) {
      out.error = {errc::conversation_changed, ""};
      return out;
    }
    if (ask.creates && chat != nullptr && !ends_with(*chat, ask.turn)) {
      out.error = {errc::conversation_changed, ""};
      return out;
    }
    auto stored = chat == nullptr ? 0 : chat->kept.messages.size();
    if (ask.keep > stored) {
      out.error = {errc::store_failed, "more messages are to be kept than there are"};
      return out;
    }
    apply(ask, chat == nullptr ? make(ask.session_id) : *chat);
    out.version = chats[ask.session_id].kept.info.version;
    return out;
  }

  info_answer change(const change_conversation& ask) {
    if (ask.verb == conversation_verb::import)
      return import(ask);
    auto* chat = find(ask.session_id);
    if (chat == nullptr)
      return {{errc::conversation_unknown, ""}, {}};
    if (ask.if_version != 0 && ask.if_version != chat->kept.info.version)
      return {{errc::conversation_changed, ""}, chat->kept.info};
    if (ask.verb == conversation_verb::branch)
      return branch(ask, *chat);
    if (ask.verb == conversation_verb::rename)
      chat->kept.info.title = ask.title;
    if (ask.verb == conversation_verb::override)
      chat->kept.overrides = ask.overrides;
    touch(*chat);
    auto info = chat->kept.info;
    if (ask.verb == conversation_verb::remove)
      chats.erase(ask.session_id);
    return {{}, info};
  }

  uint64_t close_running_turns() {
    uint64_t closed = 0;
    for (auto& [id, chat] : chats)
      for (auto& turn : chat.kept.turns)
        if (turn.state == turn_state::running) {
          turn.state = turn_state::interrupted;
          turn.error = {errc::server_restarted, ""};
          ++closed;
        }
    return closed;
  }

private:
  static bool ends_with(const memory_chat& chat, const turn_record& turn) {
    const auto& turns = chat.kept.turns;
    return !turns.empty() && turns.back().turn_id == turn.turn_id &&
           turns.back().started_ms == turn.started_ms;
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
    for (const auto& each : ask.report.requests)
      count(owner_of(ask.session_id), each, &each == &ask.report.requests.front());
    touch(chat);
  }

  static void put(const turn_record& turn, memory_chat& chat) {
    auto same = [&](const turn_record& each) { return each.turn_id == turn.turn_id; };
    auto& turns = chat.kept.turns;
    auto found = std::find_if(turns.begin(), turns.end(), same);
    if (found != turns.end()) {
      *found = turn;
    } else {
      turns.push_back(turn);
      chat.events.clear();
    }
  }

  void count(std::string_view owner, const model_report& request, bool first) {
    auto& row = used[std::string{owner} + '\n' + day + '\n' + request.model];
    row.day = day;
    row.model = request.model;
    row.turns += first ? 1 : 0;
    ++row.requests;
    row.used += request.used;
  }

  info_answer import(const change_conversation& ask) {
    if (find(ask.session_id) != nullptr)
      return {{errc::conversation_exists, ""}, {}};
    auto& chat = make(ask.session_id);
    chat.kept = ask.content;
    chat.kept.info.id = public_id(ask.session_id);
    chat.kept.info.version = 0;
    touch(chat);
    return {{}, chat.kept.info};
  }

  info_answer branch(const change_conversation& ask, const memory_chat& from) {
    if (find(ask.to) != nullptr)
      return {{errc::conversation_exists, ""}, {}};
    auto taken = from.kept.messages;
    if (!ask.message_id.empty()) {
      auto last = std::find_if(taken.rbegin(), taken.rend(), [&](const stored_message& each) {
        return each.message.id == ask.message_id;
      });
      if (last == taken.rend())
        return {{errc::request_invalid, "there is no such message"}, {}};
      taken.erase(last.base(), taken.end());
    }
    auto title = ask.title.empty() ? from.kept.info.title : ask.title;
    auto overrides = from.kept.overrides;
    auto& made = make(ask.to);
    made.kept.messages = std::move(taken);
    made.kept.info.title = title;
    made.kept.overrides = overrides;
    touch(made);
    return {{}, made.kept.info};
  }
};

} // namespace troupe::test

// A store of conversations that is the test: it keeps chats in memory, fails and hangs when told
// to.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "tests/support/deterministic.hpp"

namespace troupe::test {

/// What a fake store has, and how it behaves.
struct chat_store_notes {
  std::map<std::string, chat_record> chats;
  std::vector<std::string> log; ///< "load ID", "save ID", "status", in order
  failure error;                ///< of all answers
  bool silent = false;          ///< answers nothing
  std::vector<caf::typed_response_promise<store_status>>
      asked; ///< while it was silent; a tick answers

  size_t count(const std::string& what) const {
    return static_cast<size_t>(std::count(log.begin(), log.end(), what));
  }

  chat_record load(const load_chat& ask) {
    chat_record record = chats[ask.session_id];
    record.session_id = ask.session_id;
    record.number = ask.number;
    record.error = error;
    return record;
  }

  save_answer save(const save_chat& what) {
    auto& chat = chats[what.session_id];
    if (!error) {
      ++chat.version;
      chat.history.resize(what.keep);
      chat.history.insert(chat.history.end(), what.more.begin(), what.more.end());
      if (!what.turn.turn_id.empty())
        chat.last_turn = what.turn;
      chat.events.insert(chat.events.end(), what.events.begin(), what.events.end());
    }
    return {what.session_id, what.number, chat.version, error};
  }
};

using shared_store = std::shared_ptr<chat_store_notes>;

inline conversation_store_actor::behavior_type
fake_chat_store(conversation_store_actor::pointer self, shared_store notes) {
  auto answer = [=](auto make) {
    if (!notes->silent)
      self->send(caf::actor_cast<chat_keeper_actor>(self->current_sender()), make());
  };
  return {
      [=](const load_chat& ask) {
        notes->log.push_back("load " + ask.session_id);
        answer([&] { return notes->load(ask); });
      },
      [=](const save_chat& what) {
        notes->log.push_back("save " + what.session_id);
        answer([&] { return notes->save(what); });
      },
      [](const change_conversation&) { return info_answer{}; },
      [](const list_settings&) { return setting_list{}; },
      [](const setting&) { return failure{}; },
      [](const api_key&) { return failure{}; },
      [=](atom::status) -> caf::result<store_status> {
        notes->log.emplace_back("status");
        store_status status;
        status.error = notes->error;
        if (!notes->silent)
          return status;
        notes->asked.push_back(self->make_response_promise<store_status>());
        return notes->asked.back();
      },
      [](atom::drain) { return atom::done_v; },
      [](atom::commit) {},
      [](atom::piece) {},
      [](atom::look) {},
      [=](atom::tick) {
        for (auto& each : std::exchange(notes->asked, {}))
          each.deliver(store_status{});
      },
  };
}

/// Spawns one and registers it as the store of conversations.
inline conversation_store_actor start_fake_store(deterministic& world, const shared_store& notes) {
  auto store = world.sys.spawn(fake_chat_store, notes);
  world.sys.registry().erase(conversation_store_name); // put() does not replace
  world.sys.registry().put(conversation_store_name, caf::actor_cast<caf::strong_actor_ptr>(store));
  return store;
}

} // namespace troupe::test

// A chat whose store is the test: it answers at once, or when it is told to.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "tests/actors/session/tools_fixture.hpp"
#include "tests/support/history_rules.hpp"
#include "tests/support/memory_data.hpp"

namespace troupe::test {

/// What a fake store was asked, in order.
struct store_notes {
  std::vector<save_chat> saves;
  std::deque<std::pair<save_chat, caf::strong_actor_ptr>> waiting; ///< saves without an answer
  std::deque<std::pair<load_chat, caf::strong_actor_ptr>> loading; ///< loads without an answer
  size_t loads = 0;
  caf::strong_actor_ptr session; ///< that loaded last
  bool answers_loads = true;
  bool takes_first = false; ///< saves what a load brings, as the store does; else it overlooks it
  bool answers_saves = true;
  uint64_t node = 0; ///< of the sessions; 0: the store is theirs alone
  failure error;     ///< of what is answered from now on
  memory_data data;
};

/// A chat that is kept by a store, whose writes are waited for.
class kept_chat : public tools_fixture {
public:
  kept_chat() {
    settings.keeps = settings.waits_saved = true;
    start_store();
  }

  ~kept_chat() {
    sys.registry().erase(conversation_store_name);
    crash(*this, store);
  }

  void start_store() {
    store = sys.spawn([this](conversation_store_actor::pointer me) {
      return conversation_store_actor::behavior_type{
          [this, me](const load_chat& ask) {
            ++kept.loads;
            kept.session = me->current_sender();
            kept.loading.emplace_back(ask, me->current_sender());
            if (kept.answers_loads)
              answer_load();
          },
          [this, me](const save_chat& what) {
            kept.saves.push_back(what);
            kept.waiting.emplace_back(what, me->current_sender());
            if (kept.answers_saves)
              answer_save();
          },
          [](const change_conversation&) { return info_answer{}; },
          [](const list_settings&) { return setting_list{}; },
          [](const setting&) { return failure{}; },
          [](const api_key&) { return failure{}; },
          [](atom::status) { return store_status{}; },
          [](atom::drain) { return atom::done_v; },
          [](atom::commit) {},
          [](atom::piece) {},
          [](atom::look) {},
          [](atom::tick) {},
      };
    });
    sys.registry().put(conversation_store_name, caf::actor_cast<caf::strong_actor_ptr>(store));
  }

  /// Answers the oldest load or save that has no answer; runs nothing.
  void answer_load() {
    auto [ask, who] = std::move(kept.loading.front());
    kept.loading.pop_front();
    auto record = kept.data.load(ask, kept.node);
    record.error = kept.error;
    if (kept.takes_first && record.version == 0 && !ask.first.session_id.empty()) {
      const auto done = kept.data.save(ask.first, kept.node);
      record.version = done.version;
      record.claim = done.claim;
      record.fence = done.fence;
      record.kept_turn = ask.first.turn.turn_id;
    }
    caf::anon_send(caf::actor_cast<session_actor>(who), std::move(record));
  }
  void answer_save() {
    auto [what, who] = std::move(kept.waiting.front());
    kept.waiting.pop_front();
    save_answer result{what.session_id, what.number, 0, kept.error};
    if (!kept.error)
      result = kept.data.save(what, kept.node);
    caf::anon_send(caf::actor_cast<session_actor>(who), std::move(result));
  }

  void load() {
    answer_load();
    run();
  }
  void save() {
    REQUIRE(!kept.waiting.empty());
    answer_save();
    run();
  }
  void fail_save(errc code = errc::store_full) {
    kept.error = {code, ""};
    save();
    kept.error = {};
  }

  /// As the hub of sessions says it.
  void tell(const failure& why) {
    caf::anon_send(caf::actor_cast<session_actor>(kept.session), atom::save_v, why);
    run();
  }

  /// What the store has of the chat, each message as "role text".
  strings stored() {
    strings out;
    for (const auto& each : kept.data.load({"s"}).history)
      out.push_back(to_string(each.who) + ' ' + each.text);
    return out;
  }

  turn_record last_turn() { return kept.data.load({"s"}).last_turn; }

  /// A conversation that an earlier session has left.
  void put(std::vector<chat_message> messages, turn_record turn = {}) {
    save_chat made;
    made.session_id = "s";
    made.more = std::move(messages);
    made.turn = std::move(turn);
    kept.data.save(made);
  }

  static chat_message message(role who, const std::string& text, const std::string& id) {
    chat_message made;
    made.who = who;
    made.text = text;
    made.id = id;
    return made;
  }

  store_notes kept;
  conversation_store_actor store;
};

} // namespace troupe::test

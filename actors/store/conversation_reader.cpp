#include "actors/store/conversation_reader.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

namespace {

/// How often the reader checks whether keys have changed.
constexpr std::chrono::seconds keys_interval{1};

/// @param apart it has whole conversations read by a reader of their own
conversation_reader_actor spawn_reader(caf::local_actor& parent, conversation_reader_config config,
                                       bool apart);

struct conversation_reader_state {
  static inline const char* name = "troupe.conversation_reader";

  explicit conversation_reader_state(conversation_reader_actor::pointer ptr) : self{ptr} {}

  /// Opens the connection if there is none. Returns why that failed.
  failure connect() {
    failure why;
    if (connection)
      return why;
    connection = config.port->open(durability::normal, why); // it writes only the search index
    if (!connection && !why)
      why = {errc::store_failed, ""};
    return why;
  }

  bool is_asker_gone() const {
    const auto& asker = self->current_sender();
    return asker && caf::actor_cast<caf::abstract_actor*>(asker)->getf(
                        caf::abstract_actor::is_terminated_flag);
  }

  template <class Answer, class Ask>
  Answer ask(Answer (store_connection::*call)(const Ask&), const Ask& what) {
    Answer out;
    if (is_asker_gone()) // a client that left; nobody waits for the answer
      return out;
    out.error = connect();
    if (!out.error)
      out = (connection.get()->*call)(what);
    return out;
  }

  /// A conversation may be so long that lists and keys must not wait for it.
  caf::result<conversation_answer> on_get(const get_conversation& what) {
    if (!apart)
      return ask(&store_connection::get, what);
    if (!whole)
      whole = spawn_reader(*self, {config.port, {}, config.detached}, false);
    return self->delegate(whole, what);
  }

  void on_tick() {
    look_at_keys();
    self->delayed_send(self, keys_interval, atom::tick_v);
  }

  void look_at_keys() {
    if (connect())
      return;
    auto version = connection->keys_version(); // first: a change in between is seen next time
    if (has_keys && version == keys_version)
      return;
    auto list = connection->keys({});
    if (list.error)
      return;
    has_keys = true;
    keys_version = version;
    config.keys_changed(std::move(list));
  }

  conversation_reader_actor::pointer self;
  conversation_reader_config config;
  std::unique_ptr<store_connection> connection;
  bool apart = false;              ///< see spawn_reader()
  conversation_reader_actor whole; ///< reads whole conversations; nullptr until it is needed
  bool has_keys = false;           ///< keys were handed over at least once
  uint64_t keys_version = 0;
};

conversation_reader_actor::behavior_type
conversation_reader(conversation_reader_actor::stateful_pointer<conversation_reader_state> self,
                    conversation_reader_config config, bool apart) {
  using on = store_connection;
  auto& state = self->state;
  quiet(self);
  state.config = std::move(config);
  state.apart = apart;
  if (state.config.keys_changed)
    state.on_tick();
  return {
      [&state](const list_conversations& ask) { return state.ask(&on::list, ask); },
      [&state](const search_conversations& ask) { return state.ask(&on::search, ask); },
      [&state](const get_conversation& ask) { return state.on_get(ask); },
      [&state](const usage_query& ask) { return state.ask(&on::used, ask); },
      [&state](const list_keys& ask) { return state.ask(&on::keys, ask); },
      [&state](atom::tick) { state.on_tick(); },
  };
}

conversation_reader_actor spawn_reader(caf::local_actor& parent, conversation_reader_config config,
                                       bool apart) {
  if (config.detached)
    return parent.spawn<caf::linked + caf::detached>(conversation_reader, std::move(config), apart);
  return parent.spawn<caf::linked>(conversation_reader, std::move(config), apart);
}

} // namespace

conversation_reader_actor spawn_conversation_reader(caf::local_actor& parent,
                                                    conversation_reader_config config) {
  return spawn_reader(parent, std::move(config), true);
}

} // namespace troupe

#include "actors/store/conversation_store.hpp"

#include <utility>

#include "actors/one_way.hpp"
#include "actors/quiet.hpp"
#include "actors/store/conversation_store_state.hpp"

namespace troupe {

namespace {

/// Returns whether the turn that a first save brought is a chat's last one, and continues.
bool still_runs(const turn_record& last, const turn_record& sent) {
  return !sent.turn_id.empty() && last.turn_id == sent.turn_id &&
         last.started_ms == sent.started_ms && last.state == turn_state::running;
}

} // namespace

void conversation_store_state::on_load(load_chat& ask) {
  if (batch && batch->changes(ask.session_id))
    commit(); // a loaded chat must not be rolled back later
  if (!ask.first.session_id.empty() && !status.error && connection->gathers())
    return begin_chat(ask);
  chat_record record;
  if (!connection)
    record.error = status.error;
  else if (!connection->load_at_once(ask, record))
    return load_beside(std::move(ask), self->current_sender(), {});
  record.session_id = ask.session_id;
  record.number = ask.number;
  const auto is_new = record.version == 0 && !record.error;
  if (is_new && !ask.first.session_id.empty())
    write(std::make_unique<first_write>(self, self->current_sender(), std::move(ask.first),
                                        std::move(record)));
  else
    tell(self->current_sender(), std::move(record));
}

/// Saves a chat without a look whether it is new, since each look would be a round trip. The save
/// of one that exists is refused, and it is loaded then.
void conversation_store_state::begin_chat(load_chat& ask) {
  ask.first.creates = true;
  write(std::make_unique<first_write>(
      self, self->current_sender(), std::move(ask.first),
      chat_record{ask.session_id, {}, 0, {}, {}, {}, {}, {}, ask.number},
      [this](chat_not_begun what) { not_begun.push_back(std::move(what)); }));
}

/// Loads the chats that could not be begun; a store that is away would not answer that either.
void conversation_store_state::load_not_begun() {
  for (auto& [keeper, record, turn] : std::exchange(not_begun, {})) {
    if (status.error.code != errc::store_failed) {
      load_beside({record.session_id, {}, record.number}, keeper, turn);
      continue;
    }
    record.error = status.error;
    tell(keeper, std::move(record));
  }
}

/// Has the loader read the chat. It may take long, and nothing here waits for it. All earlier saves
/// of the chat are committed, and its session makes no others meanwhile.
/// @param sent a first save's turn, which may be kept although the store said that it is not
void conversation_store_state::load_beside(load_chat ask, const caf::strong_actor_ptr& keeper,
                                           const turn_record& sent) {
  if (!loader)
    loader = spawn_conversation_loader(*self, *config.port, config.detached);
  ask.first = {}; // is for a new chat
  chat_record none{ask.session_id, {errc::store_failed, ""}, 0, {}, {}, {}, {}, {}, ask.number};
  self->request(loader, caf::infinite, std::move(ask))
      .then(
          [this, keeper, sent](chat_record& record) {
            if (still_runs(record.last_turn, sent)) {
              record.kept_turn = sent.turn_id;
              record.last_turn = {};
              record.history.clear();
            }
            tell(keeper, std::move(record));
          },
          [this, keeper, none](const caf::error&) { tell(keeper, none); });
}

void conversation_store_state::tell(const caf::strong_actor_ptr& keeper, chat_record record) const {
  auto& last = record.last_turn.state;
  if (!config.memory->turns_closed && last == turn_state::running)
    last = turn_state::interrupted; // close_turns() could not write this yet
  if (keeper)
    self->send(caf::actor_cast<chat_keeper_actor>(keeper), std::move(record));
}

void conversation_store_state::on_save(save_chat& ask) {
  write(std::make_unique<chat_write>(self, self->current_sender(), std::move(ask)));
}

setting_list conversation_store_state::on_list(const list_settings& ask) {
  commit();
  return connection ? connection->settings(ask) : setting_list{status.error, {}};
}

store_status conversation_store_state::on_status() const {
  auto out = status;
  out.interrupted_turns = config.memory->interrupted_turns;
  return out;
}

void conversation_store_state::write(std::unique_ptr<store_write> what) {
  if (status.error) {
    ++status.failures;
    return what->answer(status.error);
  }
  if (batch->size() == 0)
    wait_for_more();
  auto failures = status.failures;
  settle(failures, batch->add(std::move(what)));
  if (batch->size() == 1)
    begin_batch();
  if (batch->size() < config.max_saves && now() - begun < config.max_delay)
    return;
  patience.fell_behind();
  commit();
}

/// Sleeps before the transaction begins, while other processes may still write. Saves that come
/// meanwhile share the commit and need not wake this thread.
void conversation_store_state::wait_for_more() {
  config.wait(patience.after_first(now(), writes() + 1, *config.turns));
}

void conversation_store_state::begin_batch() {
  begun = now();
  ++commits_sent;
  self->send(self, atom::commit_v); // behind everything that waits in the mailbox
  wake_after(tidy_delay);
}

/// Only the last atom::commit on its way counts: an earlier one finds its writes committed.
void conversation_store_state::on_commit() {
  if (commits_sent == 0 || --commits_sent > 0)
    return;
  patience.caught_up();
  commit();
}

void conversation_store_state::commit() {
  if (!batch || batch->size() == 0)
    return;
  auto failures = status.failures;
  patience.committed(batch->size());
  settle(failures, batch->commit());
}

void conversation_store_state::settle(uint64_t failures_before, const failure& batch_error) {
  if (status.failures != failures_before)
    patience.fell_behind(); // other writes must not be delayed by each failing one
  if (batch_error && !works_after(batch_error))
    fail(batch_error);
  else if (status.failures != failures_before)
    log_failures(status.failures - failures_before);
  load_not_begun();
}

conversation_store_actor::behavior_type conversation_store_state::make_behavior() {
  return {
      one_way([this](load_chat& ask) { on_load(ask); }),
      one_way([this](save_chat& ask) { on_save(ask); }),
      [this](change_conversation& ask) { return on_change(ask); },
      [this](const list_settings& ask) { return on_list(ask); },
      [this](setting& ask) { return on_write<setting_write, failure>(ask); },
      [this](api_key& ask) { return on_write<key_write, failure>(ask); },
      [this](atom::status) { return on_status(); },
      [this](atom::drain) {
        commit();
        give_up({errc::shutting_down, ""});
        return atom::done_v;
      },
      [this](atom::commit) { on_commit(); },
      [this](atom::tick) { on_tick(); },
      [this](atom::piece) { on_piece(); },
      [this](atom::look) { on_look(); },
  };
}

namespace {

conversation_store_actor::behavior_type
conversation_store(conversation_store_actor::stateful_pointer<conversation_store_state> self,
                   conversation_store_config config) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) {
    if (!msg.reason)
      return;
    state.commit();
    state.self->quit(msg.reason);
  });
  state.config = std::move(config);
  state.start();
  return state.make_behavior();
}

} // namespace

conversation_store_actor spawn_conversation_store(caf::local_actor& parent,
                                                  conversation_store_config config) {
  if (config.detached)
    return parent.spawn<caf::linked + caf::detached>(conversation_store, std::move(config));
  return parent.spawn<caf::linked>(conversation_store, std::move(config));
}

} // namespace troupe

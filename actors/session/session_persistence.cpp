// How a session has its chat loaded and saved: chat_persistence decides, the functions here talk to
// the store, the hub and the clients.
#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"

namespace troupe {

namespace {

/// How long after a save that failed between two turns it is tried again.
constexpr std::chrono::seconds retry_delay{5};

/// Returns the id of the message that the client has of the last turn.
std::string last_answer(const std::vector<chat_message>& history, const turn_record& turn) {
  return history.empty() || history.back().who == role::user || history.back().id.empty()
             ? turn.message_id
             : history.back().id;
}

/// Another node has changed the chat since it was loaded. Nobody has seen anything of the turn, so
/// it waits for the chat as it is now, and begins once more. Returns false if it does not.
bool begin_again(session_state& in) {
  const auto turn = std::exchange(in.waiting.unclaimed, nullptr);
  if (!turn || !in.current || in.current->over())
    return false;
  if (turn->client && in.viewers.remove(turn->client.address()))
    in.waiting.owner = std::move(turn->client);
  in.viewers.refuse({errc::conversation_changed, ""}); // who came later; they may ask again
  in.preparation.stop();
  in.current.reset();
  in.forget_chat();
  in.persistence.prepare(turn->ask.request);
  in.persistence.wait(std::move(turn->ask));
  in.persistence.waiting()->is_again = true;
  return true;
}

} // namespace

// -- the chat is loaded ---------------------------------------------------------------------------

/// If the store dies, no answer comes; the hub tells of that, see on_store().
void session_state::load() {
  auto ask = persistence.take_load(session_id);
  if (!ask)
    return;
  if (auto store = whereis<conversation_store_actor>(self->system(), conversation_store_name))
    return self->send(store, std::move(*ask));
  chat_record none;
  none.number = ask->number;
  none.error = {errc::store_failed, ""};
  self->send(self, std::move(none));
}

void session_state::on_record(chat_record& record) {
  if (!persistence.is_answer(record))
    return;
  if (record.error)
    return refuse_waiting(record.error);
  const auto runs_elsewhere = record.claim == claim_state::held_elsewhere;
  take_record(record);
  auto viewing = std::exchange(waiting.viewers, {});
  auto client = std::exchange(waiting.owner, {});
  if (auto start = persistence.take_waiting())
    go_on(*start, client);
  for (const auto& each : viewing)
    show(each.who, each.ask);
  if (runs_elsewhere && !current) // nobody tells this node of the end: who comes next asks again
    forget_chat();
}

/// A turn whose client has left, or that was aborted, begins and ends at once: the client gets the
/// events of an aborted turn, and the user's messages are kept.
void session_state::go_on(loading_turn& start, const subscriber_actor& client) {
  const auto asked = start.ask.request.if_version;
  if (start.left && !start.begun)
    return tell_over();
  if (asked != 0 && asked != persistence.version())
    refuse(client, errc::conversation_changed, "");
  else
    accept(start.ask, client, &start);
  if (start.left || !start.aborted.empty())
    on_abort({session_id, "", start.left ? "client" : start.aborted});
}

void session_state::take_record(chat_record& record) {
  auto events = std::move(record.events);
  const auto was_cut_off = persistence.on_record(record, history);
  last_message_id = last_answer(history, persistence.row());
  has_extras = std::any_of(history.begin(), history.end(),
                           [](const auto& each) { return !each.extras.empty(); });
  if (was_cut_off && persistence.row().resumable)
    viewers.reopen(session_id, persistence.row(), std::move(events));
  // Where saves are not waited for, a call may have run without the store knowing of its approval.
  if (!was_cut_off && config->waits_saved)
    approvals.load(history, now());
}

void session_state::refuse_waiting(const failure& why) {
  persistence.on_load_failed();
  for (const auto& each : std::exchange(waiting.viewers, {}))
    self->send(each.who, turn_refused{why.code, why.message});
  const auto client = std::exchange(waiting.owner, {});
  const auto start = persistence.take_waiting();
  if (start && !start->aborted.empty())
    refuse(client, errc::aborted, "");
  else if (start)
    refuse(client, why.code, why.message);
}

void session_state::leave_early(const caf::actor_addr& who) {
  const auto was_owner = waiting.remove(who);
  auto* start = persistence.waiting();
  if (!was_owner || !start || !start->client_left())
    return;
  persistence.take_waiting();
  tell_over();
}

// -- saves ----------------------------------------------------------------------------------------

void session_state::note_changes() {
  persistence.changed(current->take_changed());
  if (current->over() && !persistence.has_ended())
    persistence.end(current->take_report(), current->error());
}

void session_state::save() {
  auto chat = persistence.take_save(session_id, history);
  if (!chat)
    return;
  if (auto after = persistence.wants_events_after(*chat))
    chat->events = viewers.unsaved(*after);
  if (!chat->events.empty())
    persistence.sends_events(chat->events.back().first_seq + chat->events.back().events.size() - 1);
  if (auto store = whereis<conversation_store_actor>(self->system(), conversation_store_name))
    self->send(store, std::move(*chat));
  else
    self->send(self, save_answer{session_id, chat->number, 0, {errc::store_failed, ""}});
}

void session_state::on_saved(const save_answer& answer) {
  switch (persistence.on_saved(answer, history.size())) {
  case chat_persistence::save_result::not_ours:
    return;
  case chat_persistence::save_result::failed:
    return on_unsaved(answer.error);
  case chat_persistence::save_result::chat_changed:
    return on_other_chat(answer.error);
  case chat_persistence::save_result::turn_refused:
    return on_refused(answer.error);
  case chat_persistence::save_result::stale:
    return begin_again(*this) ? load() : on_refused(answer.error);
  case chat_persistence::save_result::saved:
    break;
  }
  waiting.unclaimed.reset();
  if (current)
    return advance();
  save(); // rows of older turns, each by itself
  tell_saved();
}

/// @param why the store does not answer any more; no error: it works again
void session_state::on_store(const failure& why) {
  if (why && persistence.state() == chat_persistence::phase::loading)
    return refuse_waiting(why);
  if (why && persistence.on_store_lost())
    return on_unsaved(why);
  if (why || !persistence.is_loaded())
    return;
  persistence.retry();
  if (current)
    return advance();
  save();
  tell_saved();
}

/// The other nodes have taken the chat away, and the next save would say so. What would be shown
/// until then is not kept.
void session_state::on_node_lost(uint64_t incarnation) {
  if (current && persistence.lose(incarnation, history.size()))
    on_other_chat({errc::turn_lost, ""});
}

/// Messages that were not saved stay here, and go with the next save.
void session_state::on_unsaved(const failure& why) {
  if (!current) { // no later message would cause a save
    self->delayed_send(self, retry_delay, atom::save_v, failure{});
    return;
  }
  if (config->waits_saved)
    fail_turn(why);
  advance();
}

void session_state::on_other_chat(const failure& why) {
  if (!current)
    return forget_chat();
  fail_turn(why);
  advance();
}

/// The store has nothing of the turn, and nobody has seen anything of it: it never was.
void session_state::on_refused(const failure& why) {
  if (current) {
    tell_over();
    viewers.refuse(why);
    preparation.stop();
    current.reset();
  }
  forget_chat();
}

/// The client must not believe that its turn is saved: a turn that was over fails, too.
void session_state::fail_turn(const failure& why) {
  if (persistence.fail_end(why))
    return;
  calls.cancel_all("store");
  current->fail(why);
}

void session_state::forget_chat() {
  history.clear();
  approvals = {};
  last_message_id.clear();
  waiting.unclaimed.reset();
  persistence.forget();
  tell_saved(); // the unsaved rest is given up
}

void session_state::tell_saved() {
  if (persistence.take_all_saved(history.size()))
    self->send(hub, chat_saved{session_id});
}

} // namespace troupe

// A session's chat as the store has it, and what comes before that is there.
#include <algorithm>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "actors/turn/history.hpp"
#include "messages/ids.hpp"

namespace troupe {

namespace {

/// Returns whether nobody runs that turn any more, though it did not end.
bool was_cut_off(const turn_record& last) {
  return !last.turn_id.empty() &&
         (last.state == turn_state::running || last.state == turn_state::interrupted);
}

/// Returns whether a turn with this request only brings what a user has written, with ids by which
/// the chat knows it again.
bool may_begin_chat(const turn_request& request) {
  const auto& messages = request.messages;
  auto fits = [&](const chat_message& each) {
    return each.who == role::user && (!request.replaces_history || !each.id.empty());
  };
  return !request.options.resumable && request.if_version == 0 && !request.resumes &&
         request.cut_at.empty() && request.approvals.empty() && !messages.empty() &&
         std::all_of(messages.begin(), messages.end(), fits);
}

/// Returns the id of the message that the client has of the last turn.
std::string last_answer(const std::vector<chat_message>& history, const turn_record& turn) {
  return history.empty() || history.back().who == role::user || history.back().id.empty()
             ? turn.message_id
             : history.back().id;
}

} // namespace

/// The client is linked to, as one whose turn runs.
void session_state::load_first(start_turn& ask, subscriber_actor client) {
  self->link_to(client);
  keeping.start = std::make_unique<session_keeping::waiting_start>(
      session_keeping::waiting_start{std::move(ask), std::move(client)});
  load();
}

/// Asks once: the hub tells of a store that will not answer.
void session_state::load() {
  if (std::exchange(keeping.loading, true))
    return;
  if (auto store = whereis<conversation_store_actor>(self->system(), conversation_store_name))
    return self->send(store, load_chat{session_id, first_save()});
  chat_record none;
  none.error = {errc::store_failed, ""};
  self->send(self, std::move(none));
}

/// Empty unless the turn is a usual beginning: what it writes must be no other if the chat is not
/// new after all, and it must not be refused.
save_chat session_state::first_save() {
  if (!keeping.start || !config->waits_saved || !may_begin_chat(keeping.start->ask.request))
    return {};
  auto& request = keeping.start->ask.request;
  const auto& asked = request.options.model.empty() ? config->default_model : request.options.model;
  if (config->models.count(asked) == 0)
    return {};
  if (request.message_id.empty())
    request.message_id = make_id("msg_");
  name_messages(request.messages, 0);
  save_chat made;
  made.session_id = session_id;
  made.more = request.messages;
  made.turn = keeping.start->row = row_of(request, asked);
  return made;
}

void session_state::on_record(chat_record& record) {
  if (!keeping.loading)
    return;
  if (record.error)
    return refuse_waiting(record.error);
  const auto& kept = record.kept_turn;
  if (!kept.empty() && (!keeping.start || keeping.start->ask.request.turn_id != kept))
    return; // of a turn that was given up: the answer to the question after it follows
  keeping.begun = !kept.empty();
  keeping.loading = false;
  take_record(record);
  // What the question brought may be kept after all, where this answers the one before it.
  const auto brought = keeping.start && !keeping.start->row.turn_id.empty();
  if (record.version == 0 && !brought)
    keeping.book.create();
  auto viewing = std::exchange(keeping.viewers, {});
  if (auto start = std::exchange(keeping.start, {}))
    accept_waiting(*start);
  for (const auto& each : viewing)
    show(each.who, each.ask);
}

void session_state::accept_waiting(session_keeping::waiting_start& start) {
  auto asked = start.ask.request.if_version;
  if (start.left && !keeping.begun)
    return tell_over();
  if (keeping.begun)
    keeping.row = std::move(start.row);
  if (asked != 0 && asked != keeping.version)
    refuse(start.client, errc::conversation_changed, "");
  else
    accept(start.ask, start.client);
  keeping.begun = false;
  if (start.left || !start.aborted.empty())
    on_abort({session_id, "", start.left ? "client" : start.aborted});
}

void session_state::take_record(chat_record& record) {
  history = std::move(record.history);
  keeping.loaded = true;
  keeping.version = record.version;
  keeping.overrides = std::move(record.overrides);
  keeping.row = std::move(record.last_turn);
  keeping.book.reset(history.size());
  last_message_id = last_answer(history, keeping.row);
  has_extras = std::any_of(history.begin(), history.end(),
                           [](const auto& each) { return !each.extras.empty(); });
  if (!was_cut_off(keeping.row)) {
    if (config->waits_saved) // else an answer may have been given, and its call run, but not kept
      approvals.load(history, now());
    return;
  }
  if (keeping.row.state == turn_state::running) { // it ended with its session, not the process
    keeping.row.error = {errc::internal, ""};
    keeping.row.state = turn_state::interrupted;
    keeping.book.end(keeping.row, {});
  }
  keeping.book.changed(repair_history(history, restarted_text));
  if (keeping.row.resumable)
    viewers.reopen(session_id, keeping.row, std::move(record.events));
}

// -- what comes before it is there ----------------------------------------------------------------

void session_state::refuse_waiting(const failure& why) {
  keeping.loading = false;
  for (const auto& each : std::exchange(keeping.viewers, {}))
    self->send(each.who, turn_refused{why.code, why.message});
  auto start = std::exchange(keeping.start, {});
  if (start && !start->aborted.empty())
    refuse(start->client, errc::aborted, "");
  else if (start)
    refuse(start->client, why.code, why.message);
}

void session_state::grant_early(uint32_t events) {
  auto who = caf::actor_cast<caf::actor_addr>(self->current_sender());
  if (keeping.start && keeping.start->client && keeping.start->client == who)
    keeping.start->ask.credit += events;
  for (auto& each : keeping.viewers)
    if (each.who == who)
      each.ask.credit += events;
}

/// As in a turn that runs: only the one who asked takes it along, and not one that is resumable.
/// The store may have its beginning: then it ends in order.
void session_state::leave_early(const caf::actor_addr& who) {
  std::erase_if(keeping.viewers, [&](const auto& each) { return each.who == who; });
  if (!keeping.start || !keeping.start->client || keeping.start->client != who)
    return;
  keeping.start->client = nullptr;
  if (keeping.start->ask.request.options.resumable)
    return;
  if (!keeping.start->row.turn_id.empty()) {
    keeping.start->left = true;
    return;
  }
  keeping.start.reset();
  tell_over();
}

/// The client gets the events of any aborted turn, and what the user wrote is kept.
void session_state::abort_early(const abort_turn& ask) {
  if (ask.turn_id.empty() || ask.turn_id == keeping.start->ask.request.turn_id)
    keeping.start->aborted = ask.reason;
}

} // namespace troupe

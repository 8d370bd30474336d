// What a session has the store keep: the user's message before the model is asked, calls before
// they are started, results before they are fed back, the end of a turn before the client hears of
// it.
#include <chrono>
#include <iterator>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"

namespace troupe {

namespace {

/// How long after a save that failed between two turns it is tried again.
constexpr std::chrono::seconds retry_delay{5};

int64_t wall_clock_ms() {
  auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

/// Returns how many events at the end of a turn's last ones tell that it is over.
size_t closing_events(const std::vector<event>& events) {
  if (events.empty() || !is_terminal(events.back()))
    return 0;
  return std::holds_alternative<session_end>(events.back()) ? 2 : 1;
}

turn_state end_state(const turn_report& report) {
  if (report.error == errc::none)
    return turn_state::ended;
  return report.error == errc::aborted ? turn_state::aborted : turn_state::failed;
}

} // namespace

// -- what is unsaved ------------------------------------------------------------------------------

/// @param asked name of the model
turn_record session_state::row_of(const turn_request& request, const std::string& asked) {
  return {request.turn_id,
          request.message_id,
          turn_state::running,
          {},
          asked,
          request.options.resumable,
          wall_clock_ms(),
          0,
          {}};
}

void session_state::begin_row() {
  if (std::exchange(keeping.begun, false))
    return keeping.book.reset(history.size());
  const auto& request = current->request();
  keeping.row = row_of(request, request.options.model);
  keeping.book.begin(keeping.row, request.if_version);
}

void session_state::note_changes() {
  keeping.book.changed(current->take_changed());
  if (!current->over() || keeping.end)
    return;
  keeping.end = std::make_unique<session_keeping::turn_end>();
  auto& report = keeping.end->report;
  report = current->take_report(now());
  keeping.row.state = end_state(report);
  keeping.row.error = current->error();
  keeping.row.used = report.used;
  keeping.row.ended_ms = wall_clock_ms();
  keeping.book.end(keeping.row, report);
}

bool session_state::waits() const {
  return keeping.on && config->waits_saved && !keeping.book.failing() && is_unsaved();
}

void session_state::hold_end(std::vector<event>& more) {
  auto first = more.end() - static_cast<std::ptrdiff_t>(closing_events(more));
  std::move(first, more.end(), std::back_inserter(keeping.end->held));
  more.erase(first, more.end());
}

// -- saves ----------------------------------------------------------------------------------------

void session_state::save() {
  auto& book = keeping.book;
  if (!book.due(history.size(), !config->waits_saved))
    return;
  auto chat = book.next(session_id, history);
  const auto& row = keeping.row;
  auto of_this_turn = chat.turn.turn_id.empty() || chat.turn.turn_id == row.turn_id;
  if (row.resumable && row.state == turn_state::running && of_this_turn)
    chat.events = viewers.unsaved(book.saved_seq());
  if (!chat.events.empty())
    book.sends_events(chat.events.back().first_seq + chat.events.back().events.size() - 1);
  if (auto store = whereis<conversation_store_actor>(self->system(), conversation_store_name))
    self->send(store, std::move(chat));
  else
    self->send(self, save_answer{session_id, chat.number, 0, {errc::store_failed, ""}});
}

void session_state::on_saved(const save_answer& answer) {
  if (!keeping.book.is_answer(answer.number))
    return;
  if (answer.error)
    return on_unsaved(answer.error);
  keeping.version = answer.version;
  keeping.book.saved();
  if (current) {
    current->set_now(now()); // for calls that have waited
    return advance();
  }
  save(); // rows of older turns, each by itself
  tell_saved();
}

void session_state::on_store(const failure& why) {
  if (why && keeping.loading)
    return refuse_waiting(why);
  if (why && keeping.book.saving()) {
    keeping.book.lost();
    return on_unsaved(why);
  }
  if (why || !keeping.loaded)
    return;
  keeping.book.retry();
  if (current)
    return advance();
  save();
  tell_saved();
}

/// What is unsaved stays here, and goes with the next save.
void session_state::on_unsaved(const failure& why) {
  keeping.book.failed();
  if (why.code == errc::conversation_changed)
    return on_other_chat(why);
  if (!current) { // nobody else would ask for it: the hub has heard that the turn is over
    self->delayed_send(self, retry_delay, atom::save_v, failure{});
    return;
  }
  if (config->waits_saved)
    fail_turn(why);
  advance();
}

/// What the session has is not what the conversation has become; none of it may be saved.
void session_state::on_other_chat(const failure& why) {
  keeping.book.forget(keeping.row.turn_id);
  keeping.book.reset(history.size());
  keeping.on = false;
  keeping.outdated = true;
  if (!current)
    return forget_chat();
  fail_turn(why);
  advance();
}

/// The client must not take for kept what is not: its turn fails also where it was over.
void session_state::fail_turn(const failure& why) {
  if (!current->over()) {
    cancel_calls("store");
    return current->fail(why);
  }
  auto& end = *keeping.end;
  if (end.held.empty())
    return; // it had failed before
  end.held.clear();
  end.held.push_back(session_error{why.code, why.text(), retryable(why.code)});
  end.report.error = why.code;
  end.report.reason = finish_reason::error;
  keeping.row.state = turn_state::failed;
  keeping.row.error = why;
  if (keeping.on)
    keeping.book.end(keeping.row, end.report);
}

void session_state::forget_chat() {
  history.clear();
  approvals = {};
  last_message_id.clear();
  keeping.outdated = keeping.loaded = false;
  keeping.book.reset(0);
  if (std::exchange(keeping.told_unsaved, false)) // what it was about is given up
    self->send(hub, turn_ended{session_id});
}

/// The parent must not take this for the end of a turn: see spawn_session.
void session_state::tell_saved() {
  if (!keeping.told_unsaved || is_unsaved())
    return;
  keeping.told_unsaved = false;
  self->send(hub, turn_ended{session_id});
}

} // namespace troupe

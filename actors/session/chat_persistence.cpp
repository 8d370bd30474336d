#include "actors/session/chat_persistence.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <variant>

#include "actors/turn/history.hpp"
#include "messages/ids.hpp"

namespace troupe {

namespace {

/// Returns how many of the last events tell that the turn is over.
size_t closing_events(const std::vector<event>& events) {
  if (events.empty() || !is_terminal(events.back()))
    return 0;
  return std::holds_alternative<session_end>(events.back()) ? 2 : 1;
}

} // namespace

void ending_turn::hold(std::vector<event>& events, bool all) {
  auto first =
      all ? events.begin() : events.end() - static_cast<std::ptrdiff_t>(closing_events(events));
  std::move(first, events.end(), std::back_inserter(held));
  events.erase(first, events.end());
}

bool ending_turn::fail(const failure& why) {
  if (held.empty())
    return false;
  held.resize(held.size() - closing_events(held));
  held.push_back(session_error::of(why));
  report.error = why.code;
  report.reason = finish_reason::error;
  return true;
}

namespace {

int64_t wall_clock_ms() {
  auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

/// Returns the row of a turn that begins. @param model its name
turn_record running_row(const turn_request& request, const std::string& model) {
  turn_record row;
  row.turn_id = request.turn_id;
  row.message_id = request.message_id;
  row.state = turn_state::running;
  row.model = model;
  row.resumable = request.options.resumable;
  row.started_ms = wall_clock_ms();
  return row;
}

turn_state end_state(const turn_report& report) {
  if (report.error == errc::none)
    return turn_state::ended;
  return report.error == errc::aborted ? turn_state::aborted : turn_state::failed;
}

/// Returns whether the turn appends messages of a user and cannot be refused. If the chat turns out
/// to exist, the same messages are appended to it; ids tell them apart from those it has.
bool may_begin_chat(const turn_request& request, const chat_settings& settings) {
  const auto& messages = request.messages;
  auto fits = [&](const chat_message& each) {
    return each.who == role::user && (!request.replaces_history || !each.id.empty());
  };
  return !request.options.resumable && !request.options.sets_system && request.if_version == 0 &&
         !request.resumes && request.cut_at.empty() && request.approvals.empty() &&
         !messages.empty() && std::all_of(messages.begin(), messages.end(), fits) &&
         settings.models.count(settings.model_for(request.options.model)) > 0;
}

} // namespace

// -- the chat is loaded ---------------------------------------------------------------------------

bool chat_persistence::prepare(const turn_request& request) {
  keeps_turn_ = settings_->keeps && !request.ephemeral;
  return keeps_turn_ && !is_loaded();
}

std::optional<load_chat> chat_persistence::take_load(const std::string& session_id) {
  if (state_ == phase::loading)
    return std::nullopt;
  state_ = phase::loading;
  return load_chat{session_id, first_save(session_id), ++load_number_};
}

/// Returns the save that goes along with the load; without a session id if none does.
save_chat chat_persistence::first_save(const std::string& session_id) {
  if (!waiting_ || !settings_->waits_saved || !may_begin_chat(waiting_->ask.request, *settings_))
    return {};
  auto& request = waiting_->ask.request;
  if (request.message_id.empty())
    request.message_id = make_id("msg_");
  name_messages(request.messages, 0);
  save_chat made;
  made.session_id = session_id;
  made.begins = settings_->has_quota;
  made.claim.takes = true;
  made.more = request.messages;
  made.turn = waiting_->row = running_row(request, settings_->model_for(request.options.model));
  return made;
}

bool chat_persistence::on_record(chat_record& record, std::vector<chat_message>& history) {
  state_ = phase::loaded;
  history = std::move(record.history);
  version_ = record.version;
  fence_ = record.fence;
  overrides_ = std::move(record.overrides);
  row_ = std::move(record.last_turn);
  planner_.reset(history.size());
  if (waiting_)
    waiting_->begun = waiting_->was_sent() && record.kept_turn == waiting_->row.turn_id;
  if (record.version == 0)
    planner_.create();
  const auto was_cut_off =
      !row_.turn_id.empty() && record.claim != claim_state::held_elsewhere && // there it runs
      (row_.state == turn_state::running || row_.state == turn_state::interrupted);
  if (was_cut_off)
    close_cut_turn(history);
  return was_cut_off;
}

void chat_persistence::close_cut_turn(std::vector<chat_message>& history) {
  if (row_.state == turn_state::running) { // it ended with its session, not with the process
    row_.error = {errc::internal, ""};
    row_.state = turn_state::interrupted;
    planner_.end(row_, {});
  }
  planner_.changed(repair_history(history, restarted_text));
}

void chat_persistence::on_load_failed() noexcept {
  if (state_ == phase::loading)
    state_ = phase::unloaded;
}

// -- a turn runs ----------------------------------------------------------------------------------

void chat_persistence::begin(const turn_request& request, size_t messages,
                             const loading_turn* loaded) {
  begun_ = !keeps_turn_;
  if (!keeps_turn_)
    return;
  const auto begun = loaded != nullptr && loaded->begun;
  row_ = begun ? loaded->row : running_row(request, request.options.model);
  if (begun)
    return planner_.reset(messages);
  if (loaded != nullptr && loaded->was_sent()) // by this time the store knows its own first save
    row_.started_ms = loaded->row.started_ms;
  // A chat that is loaded again knows its approvals only where saves are waited for.
  const auto may_be_refused =
      settings_->has_quota && (settings_->waits_saved || request.approvals.empty());
  planner_.begin(row_, request.if_version, may_be_refused);
}

void chat_persistence::end(turn_report report, const failure& error) {
  row_.state = end_state(report);
  row_.error = error;
  row_.used = report.used;
  row_.ended_ms = wall_clock_ms();
  planner_.end(row_, report);
  end_ = std::make_unique<ending_turn>();
  end_->report = std::move(report);
}

bool chat_persistence::holds_begin(size_t messages) {
  begun_ = begun_ || !holds(messages);
  return !begun_;
}

std::vector<event> chat_persistence::take_held() {
  return end_ ? std::exchange(end_->held, {}) : std::vector<event>{};
}

bool chat_persistence::holds(size_t messages) const {
  const auto waits = settings_->waits_saved || may_be_refused();
  return keeps_turn_ && waits && !planner_.failing() && is_unsaved(messages);
}

// -- saves ----------------------------------------------------------------------------------------

std::optional<save_chat> chat_persistence::take_save(const std::string& session_id,
                                                     const std::vector<chat_message>& history) {
  if (!planner_.due(history.size(), !settings_->waits_saved))
    return std::nullopt;
  auto made = planner_.next(session_id, history);
  made.claim.version = version_;
  made.claim.fence = fence_;
  return made;
}

std::optional<uint64_t> chat_persistence::wants_events_after(const save_chat& chat) const {
  auto of_this_turn = chat.turn.turn_id.empty() || chat.turn.turn_id == row_.turn_id;
  if (!row_.resumable || row_.state != turn_state::running || !of_this_turn)
    return std::nullopt;
  return planner_.saved_seq();
}

chat_persistence::save_result chat_persistence::on_saved(const save_answer& answer,
                                                         size_t messages) {
  if (!planner_.is_answer(answer.number))
    return save_result::not_ours;
  if (!answer.error) {
    // Changes by others are read when the turn is over.
    if (settings_->shares && settings_->waits_saved && answer.version > version_ + 1)
      state_ = phase::outdated;
    version_ = answer.version;
    fence_ = answer.fence;
    planner_.saved();
    return save_result::saved;
  }
  planner_.failed();
  const auto code = answer.error.code;
  const auto unclaimed =
      answer.claim == claim_state::held_elsewhere || answer.claim == claim_state::stale;
  const auto refused = code == errc::quota_used_up || (unclaimed && may_be_refused());
  if (!refused && !unclaimed && code != errc::conversation_changed && code != errc::turn_lost)
    return save_result::failed;
  give_up(messages);
  if (refused)
    end_.reset();
  if (refused && answer.claim == claim_state::stale)
    return save_result::stale;
  return refused ? save_result::turn_refused : save_result::chat_changed;
}

/// The session's chat is not what the conversation is: none of it may be saved.
void chat_persistence::give_up(size_t messages) {
  planner_.forget(row_.turn_id);
  planner_.reset(messages);
  keeps_turn_ = false;
  state_ = phase::outdated;
}

bool chat_persistence::lose(uint64_t incarnation, size_t messages) {
  if (!keeps_turn_ || fence_.node != incarnation)
    return false;
  give_up(messages);
  return true;
}

bool chat_persistence::on_store_lost() {
  if (!planner_.saving())
    return false;
  planner_.failed();
  return true;
}

bool chat_persistence::fail_end(const failure& why) {
  if (!end_)
    return false;
  if (!end_->fail(why))
    return true;
  row_.state = turn_state::failed;
  row_.error = why;
  if (keeps_turn_)
    planner_.end(row_, end_->report);
  return true;
}

void chat_persistence::forget() {
  state_ = phase::unloaded;
  planner_.reset(0);
}

// -- what the hub knows ---------------------------------------------------------------------------

/// A save that is waited for is no reason: the turn's end waits for it, too.
bool chat_persistence::tell_over(size_t messages) {
  if (is_loaded())
    told_unsaved_ = is_unsaved(messages) && (told_unsaved_ || !holds(messages));
  return told_unsaved_;
}

bool chat_persistence::take_all_saved(size_t messages) {
  const auto all_saved = !is_loaded() || !is_unsaved(messages);
  return all_saved && std::exchange(told_unsaved_, false);
}

} // namespace troupe

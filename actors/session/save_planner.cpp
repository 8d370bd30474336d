#include "actors/session/save_planner.hpp"

#include <algorithm>

namespace troupe {

void save_planner::reset(size_t messages) {
  saved_messages_ = in_flight_messages_ = last_tried_messages_ = messages;
  tail_differs_ = failing_ = creates_ = begins_ = owes_ = takes_ = taking_ = false;
  under_way_ = if_version_ = 0;
  for (auto& each : rows_)
    each.sent = false;
}

void save_planner::changed(size_t from) {
  if (from >= saved_messages_ && (!saving() || from >= in_flight_messages_))
    return;
  saved_messages_ = std::min(saved_messages_, from);
  in_flight_messages_ = std::min(in_flight_messages_, from);
  tail_differs_ = has_news_ = true;
}

void save_planner::begin(turn_record turn, uint64_t if_version, bool may_be_refused) {
  in_flight_seq_ = saved_seq_ = 0;
  if_version_ = if_version;
  failing_ = false;
  begins_ = may_be_refused;
  takes_ = true;
  taking_ = false; // a save under way is of the turn before
  put(std::move(turn), {});
}

void save_planner::end(turn_record turn, turn_report report) {
  put(std::move(turn), std::move(report));
}

void save_planner::put(turn_record turn, turn_report report) {
  has_news_ = true;
  if (!rows_.empty() && !rows_.back().sent && rows_.back().turn.turn_id == turn.turn_id)
    rows_.pop_back();
  rows_.push_back({std::move(turn), std::move(report), false});
}

void save_planner::forget(const std::string& turn_id) {
  std::erase_if(rows_, [&](const row& each) { return each.turn.turn_id == turn_id; });
}

bool save_planner::unsaved(size_t messages) const {
  return saving() || tail_differs_ || saved_messages_ != messages || !rows_.empty();
}

bool save_planner::due(size_t messages, bool insists) const {
  if (saving() || !unsaved(messages))
    return false;
  return !failing_ || (insists && (has_news_ || messages != last_tried_messages_));
}

save_chat save_planner::next(const std::string& session_id,
                             const std::vector<chat_message>& history) {
  save_chat made;
  made.session_id = session_id;
  made.number = under_way_ = ++number_;
  made.if_version = std::exchange(if_version_, 0);
  made.creates = creates_;
  // Rows that an earlier turn has left must not be refused with this turn.
  made.begins = std::exchange(begins_, false) && !owes_ && rows_.size() == 1;
  made.claim.takes = taking_ = takes_;
  made.claim.gives = rows_.size() == 1 && rows_.front().turn.state != turn_state::running;
  made.keep = saved_messages_;
  made.more.assign(history.begin() + static_cast<std::ptrdiff_t>(saved_messages_), history.end());
  if (!rows_.empty()) {
    rows_.front().sent = true;
    made.turn = rows_.front().turn;
    made.report = rows_.front().report;
  }
  in_flight_messages_ = last_tried_messages_ = history.size();
  in_flight_seq_ = saved_seq_;
  tail_differs_ = has_news_ = false;
  return made;
}

void save_planner::saved() {
  under_way_ = 0;
  failing_ = creates_ = owes_ = false;
  takes_ = takes_ && !taking_;
  saved_messages_ = in_flight_messages_;
  saved_seq_ = in_flight_seq_;
  if (!rows_.empty() && rows_.front().sent)
    rows_.erase(rows_.begin());
}

void save_planner::failed() {
  under_way_ = 0;
  failing_ = tail_differs_ = owes_ = true;
  if (!rows_.empty())
    rows_.front().sent = false;
  // A row of the same turn that came while the save was under way says more than the saved one.
  if (rows_.size() > 1 && rows_[0].turn.turn_id == rows_[1].turn.turn_id)
    rows_.erase(rows_.begin());
}

} // namespace troupe

#include "actors/session/save_book.hpp"

#include <algorithm>

namespace troupe {

void save_book::reset(size_t messages) {
  same_ = sent_ = tried_ = messages;
  differs_ = failing_ = creates_ = false;
  under_way_ = if_version_ = 0;
  for (auto& each : rows_)
    each.sent = false;
}

void save_book::changed(size_t from) {
  if (from >= same_ && (!saving() || from >= sent_))
    return;
  same_ = std::min(same_, from);
  sent_ = std::min(sent_, from);
  differs_ = news_ = true;
}

void save_book::begin(turn_record turn, uint64_t if_version) {
  sent_seq_ = saved_seq_ = 0;
  if_version_ = if_version;
  failing_ = false;
  put(std::move(turn), {});
}

void save_book::end(turn_record turn, turn_report report) {
  put(std::move(turn), std::move(report));
}

void save_book::put(turn_record turn, turn_report report) {
  news_ = true;
  if (!rows_.empty() && !rows_.back().sent && rows_.back().turn.turn_id == turn.turn_id)
    rows_.pop_back();
  rows_.push_back({std::move(turn), std::move(report), false});
}

void save_book::forget(const std::string& turn_id) {
  std::erase_if(rows_, [&](const row& each) { return each.turn.turn_id == turn_id; });
}

bool save_book::unsaved(size_t messages) const {
  return saving() || differs_ || same_ != messages || !rows_.empty();
}

bool save_book::due(size_t messages, bool insists) const {
  if (saving() || !unsaved(messages))
    return false;
  return !failing_ || (insists && (news_ || messages != tried_));
}

save_chat save_book::next(const std::string& session_id, const std::vector<chat_message>& history) {
  save_chat made;
  made.session_id = session_id;
  made.number = under_way_ = ++number_;
  made.if_version = std::exchange(if_version_, 0);
  made.creates = creates_;
  made.keep = same_;
  made.more.assign(history.begin() + static_cast<std::ptrdiff_t>(same_), history.end());
  if (!rows_.empty()) {
    rows_.front().sent = true;
    made.turn = rows_.front().turn;
    made.report = rows_.front().report;
  }
  sent_ = tried_ = history.size();
  sent_seq_ = saved_seq_;
  differs_ = news_ = false;
  return made;
}

void save_book::saved() {
  under_way_ = 0;
  failing_ = creates_ = false;
  same_ = sent_;
  saved_seq_ = sent_seq_;
  if (!rows_.empty() && rows_.front().sent)
    rows_.erase(rows_.begin());
}

void save_book::failed() {
  under_way_ = 0;
  failing_ = differs_ = true;
  if (!rows_.empty())
    rows_.front().sent = false;
  // What came while it was under way says more than it.
  if (rows_.size() > 1 && rows_[0].turn.turn_id == rows_[1].turn.turn_id)
    rows_.erase(rows_.begin());
}

} // namespace troupe

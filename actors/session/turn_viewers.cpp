#include "actors/session/turn_viewers.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "actors/turn/open_call_events.hpp"
#include "actors/urgent.hpp"

namespace troupe {

namespace {

/// Events that go with one save: a bound for the message.
constexpr uint64_t most_unsaved = 4096;

/// Viewers of one interrupted turn whose errors are remembered.
constexpr size_t most_told = 64;

session_error restarted() {
  return session_error::of({errc::server_restarted, ""});
}

} // namespace

void turn_viewers::open(std::string session_id, const turn_request& request, size_t max_log_bytes) {
  current_ = std::make_shared<turn_log>(std::move(session_id), request.turn_id);
  owner_ = nullptr;
  fresh_.clear();
  max_log_bytes_ = max_log_bytes;
  resumable_ = request.options.resumable;
  closed_ = interrupted_ = false;
}

void turn_viewers::add_owner(subscriber_actor who, uint32_t credit) {
  self_->link_to(who);
  owner_ = who.address();
  viewers_.push_back({std::move(who), current_, 1, credit});
}

bool turn_viewers::add(subscriber_actor who, const watch_turn& ask, bool over) {
  if (!current_ || (closed_ && !interrupted_ && !ask.replays_ended) ||
      (!ask.turn_id.empty() && ask.turn_id != current_->turn_id()))
    return false;
  if (interrupted_ && ask.after_seq > kept_seq_)
    return add_late(std::move(who), ask);
  auto last = current_->last_seq();
  if (over && ask.after_seq == last)
    return false;
  auto next = ask.after_seq > last ? 1 : ask.after_seq + 1; // a number of another turn: from 1
  if (next < current_->first_seq())
    return false;
  self_->link_to(who);
  viewers_.push_back({std::move(who), current_, next, ask.credit});
  auto& added = viewers_.back();
  if (next > last || ask.credit == 0)
    send(added, caf::make_message(current_->header(next)));
  flush();
  return true;
}

void turn_viewers::grant(const caf::actor_addr& who, uint32_t events) {
  for (auto& each : viewers_)
    if (each.who == who)
      each.credit += events;
}

void turn_viewers::take_over(const caf::actor_addr& who, const sink_handover& handover) {
  for (auto& each : viewers_)
    if (each.who == who && each.next == handover.sink->next())
      each.sink = handover.sink;
}

bool turn_viewers::remove(const caf::actor_addr& who) {
  std::erase_if(viewers_, [&](const viewer& each) { return each.who == who; });
  if (!owner_ || owner_ != who)
    return false;
  owner_ = nullptr;
  return true;
}

void turn_viewers::release_owner() {
  owner_ = nullptr;
}

void turn_viewers::append(std::vector<event> more) {
  if (more.empty())
    return;
  current_->append(more);
  fresh_ = std::move(more);
}

void turn_viewers::flush() {
  if (!fresh_.empty())
    send_fresh();
  for (auto& each : viewers_)
    send_logged(each);
  forget_done();
  if (current_ && !resumable_ && current_->bytes() > max_log_bytes_)
    trim();
}

void turn_viewers::close() {
  closed_ = true;
  owner_ = nullptr;
  forget_done();
  if (!resumable_)
    current_.reset();
}

/// The owner's request is refused. Others were told already that there is a turn: for them it
/// fails.
void turn_viewers::refuse(const failure& why) {
  if (const auto* asked = owner())
    self_->send(asked->who, turn_refused{why.code, why.message});
  if (owner_)
    remove(caf::actor_addr{owner_});
  append({session_error::of(why)});
  flush();
  resumable_ = false;
  close();
}

// -- what outlives the process --------------------------------------------------------------------

std::vector<event_batch> turn_viewers::unsaved(uint64_t saved_seq) const {
  std::vector<event_batch> out;
  if (!resumable_ || closed_)
    return out;
  auto last = std::min(current_->last_seq(), saved_seq + most_unsaved);
  for (auto next = saved_seq + 1; next <= last;) {
    auto read = current_->read(next, last + 1 - next);
    const auto& batch = read.get_as<event_batch>(0);
    next += batch.events.size();
    if (out.empty())
      out.push_back(batch);
    else // one row for all: it is the numbers that matter, not the times
      out[0].events.insert(out[0].events.end(), batch.events.begin(), batch.events.end());
  }
  return out;
}

void turn_viewers::reopen(const std::string& session_id, const turn_record& turn,
                          std::vector<event_batch> events) {
  current_ = std::make_shared<turn_log>(session_id, turn.turn_id);
  owner_ = nullptr;
  fresh_.clear();
  told_.clear();
  resumable_ = closed_ = interrupted_ = true;
  open_call_events open;
  for (auto& each : events) {
    open.read(each.events);
    current_->restore(std::move(each));
  }
  kept_seq_ = current_->last_seq();
  std::vector<event> rest;
  if (kept_seq_ == 0)
    rest.emplace_back(session_start{turn.message_id});
  open.close(rest);
  rest.emplace_back(restarted());
  current_->append(rest);
}

/// Calls that were opened in lost events are not known, so nothing closes them but the error. A
/// viewer that has the error already gets nothing more.
bool turn_viewers::add_late(subscriber_actor who, const watch_turn& ask) {
  auto known = std::find(told_.begin(), told_.end(), ask.after_seq) != told_.end();
  if (known || ask.after_seq == current_->last_seq())
    return false;
  auto log = std::make_shared<turn_log>(current_->header(0).session_id, current_->turn_id(),
                                        ask.after_seq + 1);
  std::vector<event> only{restarted()};
  log->append(only);
  if (told_.size() == most_told)
    told_.erase(told_.begin());
  told_.push_back(log->last_seq());
  self_->link_to(who);
  viewers_.push_back({std::move(who), std::move(log), ask.after_seq + 1, ask.credit});
  flush();
  return true;
}

// -- who gets what --------------------------------------------------------------------------------

bool turn_viewers::takes_fresh(const viewer& whom) const {
  return whom.log == current_ && whom.next + fresh_.size() == current_->last_seq() + 1 &&
         whom.credit >= fresh_.size();
}

/// One viewer reads the log's own batch, or has it moved to it; for more it is made once, and they
/// share it.
void turn_viewers::send_fresh() {
  auto takes = [this](const viewer& each) { return takes_fresh(each); };
  auto first = std::find_if(viewers_.begin(), viewers_.end(), takes);
  if (first == viewers_.end())
    return fresh_.clear();
  auto only = std::none_of(first + 1, viewers_.end(), takes);
  auto count = static_cast<uint32_t>(fresh_.size());
  auto& batch = current_->newest(std::exchange(fresh_, {}));
  auto first_seq = batch.first_seq;
  if (only && deliver(*first, batch)) {
    batch.events = {};
    return first->took(count);
  }
  auto sent = current_->header(first_seq);
  sent.events = std::exchange(batch.events, {});
  if (only) {
    first->took(count);
    return self_->send(first->who, std::move(sent));
  }
  auto shared = caf::make_message(std::move(sent));
  for (auto& each : viewers_) {
    if (each.log != current_ || each.next != first_seq || each.credit < count)
      continue;
    send(each, shared);
    each.took(count);
  }
}

void turn_viewers::send_logged(viewer& to) {
  while (to.credit > 0 && to.next <= to.log->last_seq()) {
    auto batch = to.log->read(to.next, to.credit);
    auto count = static_cast<uint32_t>(batch.get_as<event_batch>(0).events.size());
    send(to, batch);
    to.took(count);
  }
}

/// As self_->send, with a message that others may hold, too.
void turn_viewers::send(viewer& to, const caf::message& batch) {
  if (deliver(to, batch.get_as<event_batch>(0)))
    return;
  auto* target = caf::actor_cast<caf::abstract_actor*>(to.who);
  target->enqueue(self_->ctrl(), caf::make_message_id(), batch, self_->context());
}

/// Returns false if the subscriber has to do it. A client's callback that throws costs that client
/// its stream, not the chat.
bool turn_viewers::deliver(viewer& to, const event_batch& batch) {
  if (!to.sink || batch.events.empty() || is_terminal(batch.events.back()))
    return false;
  try {
    to.credit += to.sink->deliver(batch);
  } catch (...) {
    to.sink.reset();
    exit_now(to.who, to.who.address(), caf::exit_reason::unhandled_exception);
  }
  return true;
}

void turn_viewers::forget_done() {
  std::erase_if(viewers_, [this](const viewer& each) {
    auto over = each.log != current_ || closed_;
    return over && each.next > each.log->last_seq();
  });
}

/// A viewer that comes after this cannot get the whole turn.
void turn_viewers::trim() {
  auto needed = current_->last_seq() + 1;
  for (const auto& each : viewers_)
    if (each.log == current_)
      needed = std::min(needed, each.next);
  current_->trim(needed, max_log_bytes_ / 2);
}

// -- what the turn has to know --------------------------------------------------------------------

const turn_viewers::viewer* turn_viewers::owner() const {
  if (!owner_)
    return nullptr;
  auto found = std::find_if(viewers_.begin(), viewers_.end(),
                            [this](const viewer& each) { return each.who == owner_; });
  return found == viewers_.end() ? nullptr : &*found;
}

bool turn_viewers::blocked() const {
  if (resumable_ || !current_)
    return false;
  if (const auto* waits = owner(); waits && waits->next <= current_->last_seq())
    return true;
  return current_->bytes() > max_log_bytes_; // what is kept is what some viewer has still to get
}

bool turn_viewers::crowded() const {
  return blocked() || (resumable_ && current_ && current_->bytes() > max_log_bytes_ / 2);
}

bool turn_viewers::full() const {
  return resumable_ && current_ && current_->bytes() > max_log_bytes_;
}

bool turn_viewers::settles() const {
  const auto* waits = resumable_ ? nullptr : owner();
  return !waits || waits->next + waits->credit > current_->last_seq();
}

} // namespace troupe

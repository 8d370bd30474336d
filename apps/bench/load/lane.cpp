#include "apps/bench/load/lane.hpp"

#include <chrono>

#include <fmt/format.h>

namespace troupe::bench {

namespace {

using clock = std::chrono::steady_clock;
using state = lane_session::state;

/// Steps before the loop may look at its sockets again.
constexpr int steps_at_once = 32;

constexpr auto never = lane_session::never;

time_point end_of(const bench_plan& plan, time_point begin) {
  const auto& bounds = plan.bounds;
  return bounds.length.count() == 0 ? never : begin + bounds.warm_up + bounds.length;
}

} // namespace

lane::lane(loop& home, const bench_plan& plan, lane_place where, target& to, lane_watch watch)
    : home_{home}, plan_{plan}, where_{std::move(where)}, target_{to}, watch_{std::move(watch)},
      figures_{plan, where_.begin}, arrivals_{plan, where_.lane},
      left_{share_of_turns(plan, where_.lane)}, run_end_{end_of(plan, where_.begin)},
      phase_end_{run_end_}, spin_{spin_before(plan)}, timer_{home, [this] { pass(); }} {
  home_.add(loop::stage::actors, *this);
  figures_.close_window(run_end_);
  if (const auto first = arrivals_.next(); first && left_ > 0)
    next_arrival_ = where_.begin + *first;
  else
    begin_drain(clock::now());
  arm();
}

lane::~lane() {
  home_.remove(loop::stage::actors, *this);
}

void lane::stop() {
  const auto now = clock::now();
  figures_.close_window(now);
  if (phase_ == phase::starting)
    begin_drain(now);
  cut_off_all(now, &recorder::abandoned);
}

time_point lane::next_due() const {
  auto out = phase_ == phase::over ? never : phase_end_;
  if (next_arrival_)
    out = std::min(out, *next_arrival_);
  return schedule_.empty() ? out : std::min(out, schedule_.begin()->first);
}

/// Sets the timer to what is due next, unless it comes before that anyway.
void lane::arm() {
  const auto next = next_due();
  if (next == never || armed_ <= next - spin_)
    return;
  armed_ = next - spin_;
  timer_.start(armed_);
}

void lane::pass() {
  armed_ = never;
  for (int i = 0; i < steps_at_once && step(); ++i) {
  }
  arm();
}

/// Does what was due first; returns false when nothing is due yet.
bool lane::step() {
  const auto due = next_due();
  auto now = clock::now();
  if (due == never || due - now > spin_)
    return false;
  while (now < due)
    now = clock::now();
  if (phase_ == phase::starting && run_end_ != never && now - run_end_ >= plan_.bounds.drain) {
    give_up(now);
    return true;
  }
  if (next_arrival_ && *next_arrival_ == due) {
    const auto following = arrivals_.next();
    next_arrival_.reset();
    if (following)
      next_arrival_ = where_.begin + *following;
    // A closed loop has no times: its first sessions begin as soon as they can.
    begin_session(plan_.arrivals.kind == arrival_kind::concurrency ? now : due);
  } else if (!schedule_.empty() && schedule_.begin()->first == due) {
    on_due(sessions_.at(schedule_.begin()->second), now);
  } else if (phase_ == phase::starting) {
    begin_drain(now);
  } else {
    cut_off_all(now, &recorder::cut_off);
  }
  return true;
}

/// Goes on with the sessions whose turn is over. The loop calls it after all input of an iteration.
bool lane::run() {
  if (settled_.empty())
    return false;
  std::vector<uint64_t> numbers;
  numbers.swap(settled_);
  for (auto number : numbers)
    go_on(number);
  end_if_idle();
  arm();
  return true;
}

void lane::begin_session(time_point intended) {
  const auto number = next_number_++;
  auto& fresh = sessions_.try_emplace(number, plan_.seed, where_.lane, number).first->second;
  fresh.id = fmt::format("bench-{}-{}-{}", where_.run_id, where_.lane, number);
  wait(fresh, intended);
}

/// Begins the session's next turn at that time, which may have passed.
void lane::wait(lane_session& which, time_point start) {
  which.is = state::waiting;
  which.start_at = start;
  if (start <= clock::now())
    begin_turn(which, start);
  else
    put_on_agenda(which);
}

bool lane::may_begin(time_point intended) const {
  return phase_ == phase::starting && intended < run_end_ && left_ > 0;
}

void lane::begin_turn(lane_session& which, time_point intended) {
  if (!may_begin(intended))
    return drop(which);
  which.is = state::running;
  which.drawn = which.draws.next(plan_.work);
  which.record = {};
  which.record.slow = which.drawn.slow;
  which.cancelled_at = {};
  which.resume_at = never;
  const turn_ask ask{which.id, which.turn, user_text(plan_, where_.lane, which.number, which.turn),
                     which.turn == 0 ? plan_.work.history : 0};
  which.running = target_.start(ask, [this, &which](const turn_observation& observation) {
    on_observation(which, observation);
  });
  const auto now = clock::now(); // includes the time to encode the request
  figures_.started(which.record, intended, now);
  which.deadline = plan_.bounds.turn.count() > 0 ? now + plan_.bounds.turn : never;
  which.cancel_at = which.drawn.cancelled ? now + which.drawn.cancel_after : never;
  put_on_agenda(which);
  if (which.record.measured && plan_.bounds.turns > 0 && --left_ == 0)
    begin_drain(now);
}

void lane::on_observation(lane_session& which, const turn_observation& observation) {
  if (which.is != state::running)
    return;
  if (observation.what == observed::end || observation.what == observed::failed)
    return on_last(which, observation);
  figures_.seen(which.record, observation);
  if (which.drawn.slow && which.resume_at == never) {
    which.running->pause();
    which.resume_at = observation.at + plan_.work.slow_pause;
    put_on_agenda(which);
    arm();
  }
}

/// A cancelled turn that fails was not stopped as it was asked to be: that is a failure.
void lane::on_last(lane_session& which, const turn_observation& observation) {
  if (observation.what == observed::failed)
    figures_.failed(which.record, to_string(observation.code), observation.at, observation.text);
  else if (which.cancelled_at != time_point{})
    figures_.cancelled(which.record, observation.at - which.cancelled_at, observation.at);
  else
    figures_.ended(which.record, observation);
  // A target may hold the end back until a stop is answered; the next turn cannot begin before.
  const bool was_told = which.cancelled_at != time_point{};
  settle(which, was_told ? clock::now() : observation.at, observation.what == observed::end);
}

/// Marks the session for run(): a turn must not be destroyed within its own observation.
void lane::settle(lane_session& which, time_point at, bool goes_on) {
  which.is = state::settled;
  which.ended = at;
  which.goes_on = goes_on;
  put_on_agenda(which);
  settled_.push_back(which.number);
  home_.again();
}

void lane::go_on(uint64_t number) {
  const auto found = sessions_.find(number);
  if (found == sessions_.end())
    return;
  auto& which = found->second;
  which.running.reset();
  auto start = which.ended + which.drawn.think;
  if (which.goes_on && ++which.turn < plan_.work.turns)
    return may_begin(start) ? wait(which, start) : drop(which); // no wait in vain
  if (!which.goes_on)
    start += std::chrono::milliseconds{50}; // spares a target that refuses at once
  drop(which);
  if (plan_.arrivals.kind == arrival_kind::concurrency && may_begin(start))
    begin_session(start);
}

void lane::on_due(lane_session& which, time_point now) {
  if (which.is == state::waiting)
    return begin_turn(which, which.start_at);
  if (which.deadline <= now) {
    figures_.failed(which.record, "timeout", now);
    return settle(which, now, false);
  }
  if (which.resume_at <= now) {
    which.resume_at = never;
    which.running->resume();
  }
  if (which.cancel_at <= now)
    cancel(which, now);
  put_on_agenda(which);
}

void lane::cancel(lane_session& which, time_point now) {
  which.cancel_at = never;
  which.cancelled_at = now;
  if (which.running->cancel())
    return;
  figures_.cancelled(which.record, nanoseconds{-1}, now);
  settle(which, now, true);
}

/// Counts starts that are still due after the drain as not begun, and ends the run.
void lane::give_up(time_point now) {
  uint64_t left = next_arrival_ ? 1 : 0;
  while (next_arrival_ && arrivals_.next())
    ++left;
  figures_.not_begun(left);
  begin_drain(now);
  cut_off_all(now, &recorder::cut_off);
}

void lane::begin_drain(time_point now) {
  phase_ = phase::draining;
  phase_end_ = now + plan_.bounds.drain;
  watch_.all_begun();
  next_arrival_.reset();
  std::vector<uint64_t> waiting;
  for (const auto& [number, which] : sessions_)
    if (which.is == state::waiting)
      waiting.push_back(number);
  for (auto number : waiting)
    drop(sessions_.at(number));
  end_if_idle();
}

void lane::cut_off_all(time_point now, void (recorder::*how)(turn_record&, time_point)) {
  for (auto& [number, which] : sessions_)
    if (which.is == state::running)
      (figures_.*how)(which.record, now);
  sessions_.clear();
  schedule_.clear();
  settled_.clear();
  end_if_idle();
}

void lane::end_if_idle() {
  if (phase_ != phase::draining || !sessions_.empty())
    return;
  phase_ = phase::over;
  watch_.over();
}

void lane::put_on_agenda(lane_session& which) {
  const auto due = which.due();
  if (due == which.scheduled_at)
    return;
  if (which.scheduled_at != never)
    schedule_.erase({which.scheduled_at, which.number});
  if (due != never)
    schedule_.emplace(due, which.number);
  which.scheduled_at = due;
}

void lane::drop(lane_session& which) {
  if (which.scheduled_at != never)
    schedule_.erase({which.scheduled_at, which.number});
  sessions_.erase(which.number);
}

const std::string& user_text(const bench_plan& plan, uint32_t lane, uint64_t session,
                             uint32_t turn) {
  static const std::string short_one{"Say something."};
  const auto& texts = plan.work.texts;
  const uint64_t in_run = session * std::max(plan.lanes, 1U) + lane;
  return texts.empty() ? short_one : texts[(in_run + turn) % texts.size()];
}

} // namespace troupe::bench

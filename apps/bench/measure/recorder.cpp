#include "apps/bench/measure/recorder.hpp"

#include <algorithm>

#include "messages/utf8.hpp"

namespace troupe::bench {

namespace {

constexpr size_t most_said_bytes = 200; // of a failure

bool is_set(time_point at) {
  return at != time_point{};
}

/// Returns whether the model has stopped writing: the time to the next text is no gap in its text.
bool ends_a_text(observed what) {
  return what == observed::tool_start || what == observed::tool_end ||
         what == observed::model_request;
}

/// Takes the oldest begin out of `from` and records the time from it to `at`.
void pair_up(turn_record& turn, std::vector<time_point>& from, metric which, time_point at) {
  if (from.empty())
    return;
  turn.spans.emplace_back(which, at - from.front());
  from.erase(from.begin());
}

} // namespace

recorder::recorder(const bench_plan& plan, time_point begin)
    : plan_{plan}, measured_{begin + plan.bounds.warm_up} {}

/// Returns the row of that time, or nullptr before the measured time.
lane_second* recorder::second(time_point at) {
  if (at < measured_)
    return nullptr;
  const auto number =
      std::max(next_second_, static_cast<size_t>((at - measured_) / std::chrono::seconds{1}));
  fill(number + 1);
  return &seconds_[number - next_second_];
}

/// Adds rows up to the one before `end`.
void recorder::fill(size_t end) {
  for (auto number = next_second_ + seconds_.size(); number < end; ++number) {
    auto& added = seconds_.emplace_back();
    added.number = number;
    added.row.running = counts_.running;
  }
}

void recorder::started(turn_record& turn, time_point intended, time_point at) {
  turn.intended = intended;
  turn.started = at;
  turn.measured = intended >= measured_;
  auto* now = second(at);
  ++counts_.running;
  if (turn.measured) {
    ++totals_.started;
    totals_.times[size_t(metric::schedule_delay)].record(at - intended);
  }
  if (now != nullptr) {
    totals_.most_running = std::max(totals_.most_running, counts_.running);
    ++now->row.started;
    now->row.running = counts_.running;
  }
}

void recorder::read(turn_record& turn, const turn_observation& observation) {
  if (!is_set(turn.first_event) &&
      (observation.what == observed::event || observation.what == observed::text))
    turn.first_event = observation.at;
  if (observation.bytes > turn.bytes) {
    if (within(observation.at))
      totals_.bytes += observation.bytes - turn.bytes;
    turn.bytes = observation.bytes;
  }
}

void recorder::text(turn_record& turn, const turn_observation& observation) {
  if (within(observation.at))
    totals_.tokens += observation.count;
  if (auto* now = second(observation.at))
    now->row.tokens += observation.count;
  if (is_set(turn.last_text)) {
    const auto gap = observation.at - turn.last_text;
    turn.spans.emplace_back(metric::between_tokens, gap);
    if (gap > plan_.stall && !turn.slow) {
      turn.stalled = true;
      totals_.stalls += turn.measured ? 1 : 0;
    }
  } else if (!is_set(turn.first_text)) {
    turn.first_text = observation.at;
    if (auto* now = second(observation.at); now != nullptr && !turn.slow)
      now->first_text.record(observation.at - turn.intended);
  }
  turn.last_text = observation.at;
}

void recorder::seen(turn_record& turn, const turn_observation& observation) {
  read(turn, observation);
  if (ends_a_text(observation.what))
    turn.last_text = {};
  switch (observation.what) {
  case observed::text:
    return text(turn, observation);
  case observed::arguments_end:
    return turn.arguments.push_back(observation.at);
  case observed::tool_start:
    pair_up(turn, turn.arguments, metric::arguments_to_tool, observation.at);
    return turn.tools.push_back(observation.at);
  case observed::tool_end:
    turn.last_tool_end = observation.at;
    return pair_up(turn, turn.tools, metric::tool, observation.at);
  case observed::model_request:
    if (is_set(turn.last_tool_end))
      turn.spans.emplace_back(metric::tool_to_model, observation.at - turn.last_tool_end);
    turn.last_tool_end = {};
    turn.arguments.clear(); // of calls that were never made
    turn.tools.clear();
    return;
  default:
    return;
  }
}

void recorder::over(time_point at) {
  auto* now = second(at);
  --counts_.running;
  if (now != nullptr)
    now->row.running = counts_.running;
}

bool recorder::is_good(const turn_record& turn, time_point end) const {
  const auto first = is_set(turn.first_text) ? turn.first_text : end;
  return !turn.stalled && (turn.slow || plan_.good_first_text.count() == 0 ||
                           first - turn.intended <= plan_.good_first_text);
}

void recorder::count_times(const turn_record& turn, time_point end) {
  auto& times = totals_.times;
  if (is_set(turn.first_event))
    times[size_t(metric::first_event)].record(turn.first_event - turn.intended);
  if (is_set(turn.first_text))
    times[size_t(metric::first_text)].record(turn.first_text - turn.intended);
  times[size_t(metric::turn)].record(end - turn.intended);
  for (const auto& [which, time] : turn.spans)
    times[size_t(which)].record(time);
}

void recorder::ended(turn_record& turn, const turn_observation& last) {
  read(turn, last);
  over(last.at);
  const bool good = is_good(turn, last.at);
  ++counts_.ended;
  if (auto* now = second(last.at))
    ++now->row.ended;
  if (within(last.at)) {
    ++totals_.ended_within;
    totals_.good_within += good ? 1 : 0;
    totals_.counted_within += last.used.input_tokens + last.used.output_tokens > 0 ? 1 : 0;
    totals_.used_within += last.used;
  }
  if (!turn.measured)
    return;
  ++totals_.ended;
  totals_.good += good ? 1 : 0;
  if (!turn.slow)
    count_times(turn, last.at);
}

void recorder::failed(turn_record& turn, const std::string& code, time_point at,
                      std::string_view said) {
  over(at);
  ++counts_.failed;
  if (auto* now = second(at))
    ++now->row.failed;
  if (!turn.measured)
    return;
  ++totals_.failures[code];
  if (!said.empty())
    totals_.failure_texts.try_emplace(code, utf8_prefix(said, most_said_bytes));
}

void recorder::cancelled(turn_record& turn, nanoseconds stopped, time_point at) {
  over(at);
  if (!turn.measured)
    return;
  ++totals_.cancelled;
  if (stopped.count() >= 0)
    totals_.times[size_t(metric::cancel)].record(stopped);
}

void recorder::cut_off(turn_record& turn, time_point at) {
  totals_.cut_off += turn.measured ? 1 : 0;
  failed(turn, "cut_off", at);
}

void recorder::abandoned(turn_record& turn, time_point at) {
  over(at);
  totals_.abandoned += turn.measured ? 1 : 0;
}

void recorder::close_window(time_point at) {
  window_end_ = std::min(window_end_, at);
}

std::vector<lane_second> recorder::take_seconds(size_t before) {
  std::vector<lane_second> out;
  fill(before);
  while (!seconds_.empty() && next_second_ < before) {
    out.push_back(std::move(seconds_.front()));
    seconds_.pop_front();
    ++next_second_;
  }
  return out;
}

void add_totals(run_result& to, const run_result& lane) {
  for (size_t i = 0; i < metrics; ++i)
    to.times[i].add(lane.times[i]);
  to.started += lane.started;
  to.ended += lane.ended;
  to.cancelled += lane.cancelled;
  to.good += lane.good;
  to.stalls += lane.stalls;
  to.cut_off += lane.cut_off;
  to.abandoned += lane.abandoned;
  to.not_begun += lane.not_begun;
  to.tokens += lane.tokens;
  to.bytes += lane.bytes;
  to.most_running += lane.most_running;
  to.ended_within += lane.ended_within;
  to.good_within += lane.good_within;
  to.counted_within += lane.counted_within;
  to.used_within += lane.used_within;
  for (const auto& [code, count] : lane.failures)
    to.failures[code] += count;
  for (const auto& [code, said] : lane.failure_texts)
    to.failure_texts.try_emplace(code, said);
}

} // namespace troupe::bench

#include "apps/bench/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/verdict/sweep.hpp"

namespace troupe::bench {

namespace {

constexpr int64_t latest_start_ns = 1'000'000;
constexpr double latest_share = 0.1;
constexpr double never_late_ns = 20'000; // the time from a turn's end to the next start
constexpr int64_t latest_timer_ns = 1'000'000;
constexpr double busiest_lane = 0.9;
constexpr double ceiling_share = 0.9;

constexpr double near_limit = 0.9;
constexpr uint64_t own_descriptors = 64; // of loops and idle connections, generously

/// The highest percentile that reports show by default and that is worth a remark.
constexpr double shown_quantile = 0.99;
constexpr double samples_per_rank = 10;

double turns_of(const scenario& work) {
  return std::max(work.turns, 1U);
}

/// Returns the length of a session with such turns, in nanoseconds.
double session_life(const scenario& work, int64_t turn_ns) {
  const double turns = turns_of(work);
  return turns * static_cast<double>(turn_ns) +
         (turns - 1) * static_cast<double>(work.think.count());
}

double in_ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

/// Returns the smallest median of what is measured from an intended start; 0: there is none.
int64_t smallest_median(const run_result& run) {
  int64_t out = 0;
  for (auto which : {metric::first_event, metric::first_text, metric::turn})
    if (run[which].count() > 0 && (out == 0 || run[which].quantile_ns(0.5) < out))
      out = run[which].quantile_ns(0.5);
  return out;
}

void doubt_starts(const run_result& run, std::vector<std::string>& out) {
  const auto late = run[metric::schedule_delay].quantile_ns(0.99);
  const auto least = smallest_median(run);
  if (late > latest_start_ns)
    out.push_back(fmt::format("The generator was late: the p99 of its starts is {:.2f} ms after "
                              "the intended ones, and may be 1 ms.",
                              in_ms(late)));
  else if (least > 0 && static_cast<double>(late) >
                            std::max(latest_share * static_cast<double>(least), never_late_ns))
    out.push_back(fmt::format("The generator was late: the p99 of its starts is {:.3f} ms after "
                              "the intended ones, above a tenth of the smallest median measured, "
                              "{:.3f} ms.",
                              in_ms(late), in_ms(least)));
}

void doubt_lanes(const run_result& run, std::vector<std::string>& out) {
  const auto lag = run[metric::lag].quantile_ns(0.99);
  if (lag > latest_timer_ns)
    out.push_back(fmt::format("The generator was starved: the p99 of a timer on its lanes is "
                              "{:.2f} ms late, and may be 1 ms. Give it cores of its own.",
                              in_ms(lag)));
  if (run.lane_busy > busiest_lane)
    out.push_back(fmt::format("The generator was the bottleneck: a lane of it was busy for {:.0f} "
                              "% of the time. Give it more lanes, or a machine of its own.",
                              run.lane_busy * 100));
  if (run.client_busy > busiest_lane)
    out.push_back(
        fmt::format("The generator was the bottleneck: a thread of its MCP client was busy "
                    "for {:.0f} % of the time, and one connection has one thread. Ask for "
                    "less, or for shorter answers.",
                    run.client_busy * 100));
}

/// A generator that has no descriptor left cannot connect, which looks like the target's fault.
void doubt_descriptors(const run_result& run, std::vector<std::string>& out) {
  if (run.descriptor_limit == 0 || !run.failures.contains("connect_failed"))
    return;
  const auto taken = static_cast<double>(run.most_running + own_descriptors);
  if (taken > near_limit * static_cast<double>(run.descriptor_limit))
    out.push_back(fmt::format("The generator may open {} descriptors and had up to {} turns at "
                              "once: turns that failed to connect may be its own. Raise the limit "
                              "(ulimit -Hn).",
                              run.descriptor_limit, run.most_running));
}

/// Returns the length of the longer sessions of a step of a rate sweep if its sessions outlive the
/// warm-up, else 0. Until the first sessions end the load still builds up, whatever the target can
/// do: a step that passed had less than its load, and one that failed had fewer ends than starts.
///
/// Above the knee turns are long because they wait, so the shortest turn is taken. The lowest step
/// may not be above the knee; there the long turns count.
double life_beyond_warm_up(const run_result& run) {
  const auto& plan = run.plan;
  if (!plan.sweep.has_knee() || plan.arrivals.kind == arrival_kind::concurrency)
    return 0;
  const auto& turn = run[metric::turn];
  const double needed = session_life(plan.work, turn.quantile_ns(0.99));
  const bool is_waiting = load_of(plan) > plan.sweep.from && !kept_up(run);
  const double natural = is_waiting ? session_life(plan.work, turn.min_ns()) : needed;
  return natural > static_cast<double>(plan.bounds.warm_up.count()) ? needed : 0;
}

std::string short_step_text(double needed) {
  return fmt::format("The sessions of a step took longer than its warm-up, so that its load was "
                     "still building up: give --warm-up of at least {}, or --sweep-step of at "
                     "least {}. Where the lowest step is too much already, begin lower.",
                     duration_text(needed), duration_text(needed * warm_ups_per_step));
}

/// The share by which a figure may be off before it is in doubt.
constexpr double most_lost = 0.1;

/// The share of turns that may be left under way if the target keeps up, as for a step of a sweep.
constexpr double most_left = 0.03;

bool is_closed(const run_result& run) {
  return run.plan.arrivals.kind == arrival_kind::concurrency;
}

/// Returns whether the number of running turns did not grow in the measured time, except by chance.
bool is_level(const run_result& run) {
  const auto began = static_cast<double>(run.started);
  const bool by_chance = run.plan.arrivals.kind == arrival_kind::poisson;
  return static_cast<double>(run.running_growth) <=
         most_left * began + (by_chance ? std::sqrt(began) : 1);
}

double usual_turn_ns(const run_result& run) {
  return static_cast<double>(run[metric::turn].quantile_ns(0.5));
}

/// Returns a lower bound for a turn that waits for no other turn. Under a load of r times the
/// target's capacity a turn waits r - 1 times the time since the beginning. That is at least the
/// warm-up's time, and for the first turns after the warm-up hardly more.
double natural_turn_ns(const run_result& run) {
  const auto& turn = run[metric::turn];
  if (is_level(run))
    return usual_turn_ns(run);
  if (run.ended_within == 0)
    return static_cast<double>(turn.min_ns());
  const double times =
      std::max(1., static_cast<double>(run.started) / static_cast<double>(run.ended_within));
  const double few = most_lost / 2 / turns_of(run.plan.work) / times;
  const double waited = static_cast<double>(run.plan.bounds.warm_up.count()) * (times - 1);
  return std::max(0., static_cast<double>(turn.quantile_ns(few)) - waited);
}

/// Returns the share of a constant load's turns that have not ended in the measured time.
double missing(const run_result& run) {
  const double asked = run.plan.arrivals.rate * turns_of(run.plan.work) * run.seconds;
  return asked > 0 ? std::max(0., 1 - static_cast<double>(run.ended_within) / asked) : 0;
}

/// The k-th turns of sessions begin to end when the first session has come to its k-th turn. The
/// loss is not larger than the missing share.
queue_growth open_load(const run_result& run, double turn) {
  const auto& work = run.plan.work;
  const auto warm_up = static_cast<double>(run.plan.bounds.warm_up.count());
  const double turns = turns_of(work);
  queue_growth out;
  out.life_ns = session_life(work, static_cast<int64_t>(turn));
  for (double k = 0; k < turns; ++k) {
    const double end = turn + k * (turn + static_cast<double>(work.think.count()));
    const double late = std::max(0., end - warm_up);
    out.lost += std::min(1., late / (run.seconds * 1e9)) / turns;
    out.length_ns += late / turns / most_lost;
  }
  out.lost = std::min(out.lost, missing(run));
  return out;
}

/// Returns the relative difference of turns/s from Little's law: a place that is never empty ends
/// one turn in each life.
double beside(const run_result& run) {
  const auto& plan = run.plan;
  const double life = run[metric::turn].mean_ns() + static_cast<double>(plan.work.think.count());
  return std::abs(1 - run.turns_per_second() * life / 1e9 / plan.arrivals.concurrency);
}

/// A place ends one turn in each life. If places run in step, the number of ends in the measured
/// time depends on where that begins and ends. Places that began at once are all in step; after a
/// warm-up of w lives at most a quarter of 1/w are. The loss is not larger than beside(). A run
/// with no more turns than places has no loss.
queue_growth closed_load(const run_result& run, double turn) {
  const auto& plan = run.plan;
  const auto warm_up = static_cast<double>(plan.bounds.warm_up.count());
  queue_growth out;
  out.life_ns = turn + static_cast<double>(plan.work.think.count());
  const double uneven =
      warm_up < out.life_ns ? out.life_ns - warm_up : out.life_ns * out.life_ns / (4 * warm_up);
  out.length_ns = uneven / most_lost;
  if (plan.bounds.turns == 0 || plan.bounds.turns > plan.arrivals.concurrency)
    out.lost = std::min(uneven / (run.seconds * 1e9), beside(run));
  return out;
}

std::string remedy(const bench_plan& plan, const queue_growth& found) {
  const auto warm_up = found.life_ns > static_cast<double>(plan.bounds.warm_up.count())
                           ? "--warm-up of at least " + duration_text(found.life_ns) + ", or "
                           : std::string{};
  if (plan.bounds.length.count() == 0)
    return warm_up + "more --turns";
  return fmt::format("{}{} of at least {}", warm_up, plan.sweep.on ? "--sweep-step" : "--duration",
                     duration_text(found.length_ns));
}

} // namespace

std::vector<std::string> doubts(const run_result& run, double ceiling) {
  std::vector<std::string> out;
  if (run.started == 0)
    out.push_back("No turn began in the measured time.");
  else if (run.ended == 0 && run.cancelled == 0)
    out.push_back("No turn ended well: there is nothing to measure.");
  if (run.not_begun > 0)
    out.push_back(
        fmt::format("The generator never came to begin {} sessions that were due.", run.not_begun));
  doubt_starts(run, out);
  doubt_lanes(run, out);
  doubt_descriptors(run, out);
  if (const double needed = life_beyond_warm_up(run); needed > 0)
    out.push_back(short_step_text(needed));
  else if (auto why = queue_growth_doubt(run); !why.empty())
    out.push_back(std::move(why));
  const double load = std::max(run.offered(), run.turns_per_second());
  if (ceiling > 0 && load > ceiling_share * ceiling)
    out.push_back(fmt::format("The load of {:.0f} turns/s comes within a tenth of what this "
                              "generator can start without any transport, {:.0f} turns/s.",
                              load, ceiling));
  return out;
}

std::vector<std::string> remarks(const run_result& run) {
  std::vector<std::string> out;
  const double needed = samples_per_rank / (1 - shown_quantile);
  const auto samples = run[metric::turn].count();
  if (samples > 0 && static_cast<double>(samples) < needed)
    out.push_back(
        fmt::format("{} turns ended well: a p99 needs {:.0f} to be trusted.", samples, needed));
  if (run.cut_off > 0)
    out.push_back(fmt::format("{} turns were still running when the drain was over, and were cut "
                              "off.",
                              run.cut_off));
  if (run.abandoned > 0)
    out.push_back(fmt::format("{} turns were still running when the run was stopped. They count "
                              "neither as good nor as failed.",
                              run.abandoned));
  if (run.watched.children > 0)
    out.push_back(fmt::format("The process {} has {} of its own, whose CPU and memory are not "
                              "counted. --pid names another one.",
                              run.watched.pid,
                              run.watched.children == 1
                                  ? "a process"
                                  : fmt::format("{} processes", run.watched.children)));
  if (run[metric::first_text].count() > 0 && run[metric::between_tokens].count() == 0)
    out.push_back("Every answer's text came with one read: there are no times between tokens.");
  return out;
}

queue_growth queue_growth_of(const run_result& run) {
  if (run[metric::turn].count() == 0 || run.seconds <= 0 ||
      run.plan.arrivals.kind == arrival_kind::ramp)
    return {};
  if (is_closed(run))
    return closed_load(run, usual_turn_ns(run));
  const auto at_least = open_load(run, natural_turn_ns(run));
  return at_least.lost > most_lost ? open_load(run, usual_turn_ns(run)) : at_least;
}

std::string queue_growth_doubt(const run_result& run) {
  const auto found = queue_growth_of(run);
  if (found.lost <= most_lost)
    return {};
  return fmt::format("The measured time is too short for {} of {}: turns/s, tokens/s and CPU per "
                     "turn are {:.0f} % off. Give {}.",
                     is_closed(run) || run.plan.work.turns == 1 ? "turns" : "sessions",
                     duration_text(found.life_ns), found.lost * 100, remedy(run.plan, found));
}

} // namespace troupe::bench

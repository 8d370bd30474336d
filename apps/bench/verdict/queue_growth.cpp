#include "apps/bench/verdict/queue_growth.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"

namespace troupe::bench {

namespace {

/// The share by which a figure may be off before it is in doubt.
constexpr double most_lost = 0.1;

/// The share of turns that may be left under way if the target keeps up, as for a step of a sweep.
constexpr double most_left = 0.03;

double turns_of(const scenario& work) {
  return std::max(work.turns, 1U);
}

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

double session_life(const scenario& work, int64_t turn_ns) {
  const double turns = turns_of(work);
  return turns * static_cast<double>(turn_ns) +
         (turns - 1) * static_cast<double>(work.think.count());
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

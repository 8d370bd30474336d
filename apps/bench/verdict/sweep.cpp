#include "apps/bench/verdict/sweep.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/verdict/objectives.hpp"

namespace troupe::bench {

namespace {

constexpr double least_ended = 0.99;
constexpr double least_throughput = 0.97;

/// The least share of the throughput that more concurrency should add; less is no gain.
constexpr double least_gain = 0.1;
constexpr int steps_without_gain = 2;

bool is_closed(const bench_plan& plan) {
  return plan.arrivals.kind == arrival_kind::concurrency;
}

/// The part that all kinds of sweeps share.
class sweep {
public:
  sweep(const bench_plan& plan, const step_runner& run_step, const std::function<bool()>& stopped)
      : plan_{plan}, run_step_{run_step}, stopped_{stopped} {}

  sweep_result rates();
  sweep_result concurrency();
  sweep_result given();

private:
  /// Returns the result of a load; runs it unless it has run before. nullptr: it was cut short.
  const run_result* at(double load);
  double whole(double load) const { return is_closed(plan_) ? std::round(load) : load; }
  double following(double load) const;
  template <class Passes>
  double between(double good, double bad, const Passes& passes);

  const bench_plan& plan_;
  const step_runner& run_step_;
  const std::function<bool()>& stopped_;
  std::vector<double> loads_;
  sweep_result out_;
};

const run_result* sweep::at(double load) {
  const auto found = std::find(loads_.begin(), loads_.end(), load);
  if (found != loads_.end())
    return &out_.runs[static_cast<size_t>(found - loads_.begin())];
  const auto* kind = plan_.sweep.of_history ? "history" : is_closed(plan_) ? "concurrency" : "rate";
  const auto name = fmt::format("{} {:.4g}", kind, load);
  auto step = run_step_(step_of(plan_, load), name);
  if (stopped_()) {
    out_.ended_early = true;
    return nullptr;
  }
  loads_.push_back(load);
  return &out_.runs.emplace_back(std::move(step));
}

double sweep::following(double load) const {
  const double next = whole(load * std::max(plan_.sweep.factor, 1.01));
  return std::min(plan_.sweep.to, is_closed(plan_) ? std::max(next, load + 1) : next);
}

/// Narrows the distance between a load that passes and one that does not; returns the one that
/// passes. Either may be the larger.
template <class Passes>
double sweep::between(double good, double bad, const Passes& passes) {
  while (std::abs(bad - good) > plan_.sweep.precision * std::min(good, bad) && !stopped_()) {
    const double middle = whole(std::sqrt(good * bad));
    if (middle == good || middle == bad)
      break;
    const auto* step = at(middle);
    if (step == nullptr)
      break;
    (passes(*step) ? good : bad) = middle;
  }
  return good;
}

sweep_result sweep::rates() {
  double good = 0;
  for (double load = plan_.sweep.from; !stopped_(); load = following(load)) {
    const auto* step = at(load);
    if (step == nullptr)
      break;
    if (!kept_up(*step)) {
      out_.knee = good > 0 ? between(good, load, kept_up) : 0;
      return std::move(out_);
    }
    out_.knee = good = load;
    if (load >= plan_.sweep.to)
      break;
  }
  return std::move(out_);
}

sweep_result sweep::concurrency() {
  double best = 0;
  double before = 0;
  int flat = 0;
  for (double load = whole(std::max(1., plan_.sweep.from)); !stopped_(); load = following(load)) {
    const auto* step = at(load);
    if (step == nullptr)
      return std::move(out_);
    const double got = step->turns_per_second();
    const double gain = before > 0 ? (load / before - 1) * best * least_gain : 0;
    flat = before > 0 && got < best + gain ? flat + 1 : 0;
    best = std::max(best, got);
    before = load;
    if (flat == steps_without_gain || load >= plan_.sweep.to)
      break;
  }
  const auto is_plateau = [&](const run_result& run) {
    return run.turns_per_second() >= best * (1 - plan_.sweep.precision);
  };
  double good = 0;
  double bad = 0;
  for (size_t i = 0; i < loads_.size(); ++i) {
    if (is_plateau(out_.runs[i]) && (good == 0 || loads_[i] < good))
      good = loads_[i];
  }
  for (auto load : loads_)
    if (load < good)
      bad = std::max(bad, load);
  const double knee = bad > 0 ? between(good, bad, is_plateau) : good;
  out_.knee = out_.ended_early ? 0 : knee;
  return std::move(out_);
}

sweep_result sweep::given() {
  for (auto load : plan_.sweep.steps)
    if (!stopped_())
      at(load);
  return std::move(out_);
}

const run_result& median_run(const std::vector<run_result>& runs) {
  std::vector<const run_result*> sorted;
  sorted.reserve(runs.size());
  for (const auto& each : runs)
    sorted.push_back(&each);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* left, const auto* right) {
    return left->turns_per_second() < right->turns_per_second();
  });
  return *sorted[(sorted.size() - 1) / 2];
}

bool has_less_load(const run_result& left, const run_result& right) {
  return load_of(left.plan) < load_of(right.plan);
}

/// Returns the highest load up to the knee, or the lowest of all.
const run_result& knee_run(const bench_outcome& outcome) {
  const auto* out = &*std::min_element(outcome.runs.begin(), outcome.runs.end(), has_less_load);
  for (const auto& each : outcome.runs)
    if (is_up_to_knee(outcome, each) && has_less_load(*out, each))
      out = &each;
  return *out;
}

} // namespace

bool kept_up(const run_result& run) {
  const auto asked = static_cast<double>(run.started - std::min(run.started, run.cancelled));
  const auto began = static_cast<double>(run.started);
  const bool by_chance = run.plan.arrivals.kind == arrival_kind::poisson;
  const double allowed = began * (1 - least_throughput) + (by_chance ? std::sqrt(began) : 1);
  const auto& asked_for = run.plan.objectives;
  return run.started > 0 && run.not_begun == 0 &&
         static_cast<double>(run.ended) >= least_ended * asked &&
         static_cast<double>(run.ended_within) >= asked - allowed &&
         static_cast<double>(run.running_growth) <= allowed &&
         std::all_of(asked_for.begin(), asked_for.end(),
                     [&](const objective& each) { return judge(each, run).met; });
}

bench_plan step_of(const bench_plan& plan, double load) {
  auto out = plan;
  if (plan.sweep.of_history) {
    out.work.history = static_cast<uint32_t>(load);
  } else {
    out.arrivals.rate = out.arrivals.end_rate = load;
    out.arrivals.concurrency = static_cast<uint32_t>(std::max(1., load));
  }
  out.bounds.length = plan.sweep.step;
  out.bounds.warm_up = std::max(plan.bounds.warm_up, plan.sweep.step / warm_ups_per_step);
  out.bounds.turns = 0;
  return out;
}

sweep_result find_knee(const bench_plan& plan, const step_runner& run_step,
                       const std::function<bool()>& stopped) {
  sweep each{plan, run_step, stopped};
  if (!plan.sweep.steps.empty())
    return each.given();
  return is_closed(plan) ? each.concurrency() : each.rates();
}

const run_result& representative_run(const bench_outcome& outcome) {
  const auto& runs = outcome.runs;
  const auto& sweep = runs.front().plan.sweep;
  if (!sweep.on)
    return median_run(runs);
  return sweep.has_knee() ? knee_run(outcome)
                          : *std::max_element(runs.begin(), runs.end(), has_less_load);
}

bool is_up_to_knee(const bench_outcome& outcome, const run_result& run) {
  return load_of(run.plan) <= outcome.knee * 1.0001; // a load may have been rounded
}

} // namespace troupe::bench

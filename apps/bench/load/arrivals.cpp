#include "apps/bench/load/arrivals.hpp"

#include <algorithm>
#include <cmath>

namespace troupe::bench {

namespace {

/// A part of the random source that no session's own draws use.
constexpr uint64_t arrival_part = ~uint64_t{0};

nanoseconds from_seconds(double seconds) {
  return nanoseconds{std::llround(seconds * 1e9)};
}

/// The time of a start that never comes: later than any run.
constexpr double never_seconds = 1e9;

constexpr auto longest_spin = std::chrono::microseconds{50};
constexpr double most_spinning = 0.05; // of the time

/// Returns the length T of a ramp in seconds. It is the length of the run, or if only turns bound
/// the run, the time until N sessions have begun after the warm-up w: N = (A+B)/2 T - (A w + (B-A)
/// w^2 / 2T), solved for T; without a warm-up 2N / (A+B).
double ramp_seconds(const bench_plan& plan) {
  const double a = plan.arrivals.rate;
  const double b = plan.arrivals.end_rate;
  const double w = std::chrono::duration<double>(plan.bounds.warm_up).count();
  if (plan.bounds.length.count() > 0)
    return w + std::chrono::duration<double>(plan.bounds.length).count();
  if (a + b <= 0)
    return 0;
  const double sessions =
      static_cast<double>(plan.bounds.turns) / static_cast<double>(std::max(plan.work.turns, 1U));
  const double begun = sessions + a * w;
  return (begun + std::sqrt(begun * begun + (b * b - a * a) * w * w)) / (a + b);
}

} // namespace

arrivals::arrivals(const bench_plan& plan, uint32_t lane)
    : spec_{plan.arrivals}, length_{plan.bounds.warm_up + plan.bounds.length},
      spread_{plan.bounds.warm_up}, ramp_seconds_{ramp_seconds(plan)}, lanes_{std::max(plan.lanes,
                                                                                       1U)},
      number_{lane}, random_{random_source{plan.seed}.part(lane).part(arrival_part)} {
  if (plan.bounds.length.count() == 0)
    length_ = nanoseconds::zero();
}

std::optional<nanoseconds> arrivals::next() {
  const bool open = spec_.kind != arrival_kind::concurrency;
  if (!open && number_ >= spec_.concurrency)
    return {};
  const double seconds =
      spec_.kind == arrival_kind::poisson ? (at_ += next_gap()) : seconds_of(number_);
  number_ += lanes_;
  if (seconds >= never_seconds)
    return {};
  const auto at = from_seconds(seconds);
  if (open && length_.count() > 0 && at >= length_)
    return {};
  return at;
}

double arrivals::next_gap() {
  return spec_.rate > 0 ? random_.exponential(static_cast<double>(lanes_) / spec_.rate)
                        : never_seconds;
}

/// After t seconds N(t) = a t + (b - a) t^2 / 2T sessions have begun. Solved for t in the form that
/// is exact for b = a, too. If turns are missing at the ramp's end, because some failed, its last
/// rate continues.
double arrivals::ramp_seconds_of(double count) const {
  const double in_ramp = (spec_.rate + spec_.end_rate) / 2 * ramp_seconds_;
  if (count > in_ramp)
    return spec_.end_rate > 0 ? ramp_seconds_ + (count - in_ramp) / spec_.end_rate : never_seconds;
  const double slope = ramp_seconds_ > 0 ? (spec_.end_rate - spec_.rate) / ramp_seconds_ : 0;
  const double root = spec_.rate * spec_.rate + 2 * slope * count;
  const double divisor = spec_.rate + std::sqrt(std::max(root, 0.));
  return count == 0 ? 0 : divisor > 0 ? 2 * count / divisor : never_seconds;
}

double arrivals::seconds_of(uint64_t number) const {
  const auto count = static_cast<double>(number);
  switch (spec_.kind) {
  case arrival_kind::ramp:
    return ramp_seconds_of(count);
  case arrival_kind::concurrency:
    return std::chrono::duration<double>(spread_).count() * count / spec_.concurrency;
  default:
    return spec_.rate > 0 ? count / spec_.rate : never_seconds;
  }
}

double highest_rate(const arrival_spec& spec) {
  switch (spec.kind) {
  case arrival_kind::concurrency:
    return 0;
  case arrival_kind::ramp:
    return std::max(spec.rate, spec.end_rate);
  default:
    return spec.rate;
  }
}

/// With concurrency, a lane's turns are in proportion to its places; without a place it has none.
uint64_t share_of_turns(const bench_plan& plan, uint32_t lane) {
  const auto turns = plan.bounds.turns;
  if (turns == 0)
    return ~uint64_t{0};
  const uint64_t lanes = std::max(plan.lanes, 1U);
  if (plan.arrivals.kind != arrival_kind::concurrency)
    return turns / lanes + (lane < turns % lanes ? 1 : 0);
  const uint64_t places = std::max(plan.arrivals.concurrency, 1U);
  const auto of_first = [&](uint64_t first) { // lanes, rounded, so that the sum is all
    const auto theirs = first * (places / lanes) + std::min(first, places % lanes);
    return turns / places * theirs + (turns % places * theirs + places / 2) / places;
  };
  return of_first(lane + uint64_t{1}) - of_first(lane);
}

nanoseconds spin_before(const bench_plan& plan) {
  const double per_lane = highest_rate(plan.arrivals) / std::max(plan.lanes, 1U);
  const double share = per_lane * std::chrono::duration<double>(longest_spin).count();
  return share > 0 && share < most_spinning ? longest_spin : nanoseconds::zero();
}

} // namespace troupe::bench

#include "apps/bench/arrivals.hpp"

#include <algorithm>
#include <cmath>

namespace troupe::bench {

namespace {

/// What the sessions' own draws do not use.
constexpr uint64_t arrival_part = ~uint64_t{0};

nanoseconds from_seconds(double seconds) {
  return nanoseconds{std::llround(seconds * 1e9)};
}

/// Beyond any run: what a start that never comes is at.
constexpr double never = 1e9;

constexpr auto longest_spin = std::chrono::microseconds{50};
constexpr double most_spinning = 0.05; // of the time

} // namespace

arrivals::arrivals(const bench_plan& plan, uint32_t lane)
    : spec_{plan.arrivals}, length_{plan.bounds.warm_up + plan.bounds.length},
      spread_{plan.bounds.warm_up}, lanes_{std::max(plan.lanes, 1U)}, number_{lane},
      random_{random_source{plan.seed}.part(lane).part(arrival_part)} {
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
  if (seconds >= never)
    return {};
  const auto at = from_seconds(seconds);
  if (open && length_.count() > 0 && at >= length_)
    return {};
  return at;
}

double arrivals::next_gap() {
  return spec_.rate > 0 ? random_.exponential(static_cast<double>(lanes_) / spec_.rate) : never;
}

/// Ramp: after t seconds N(t) = a t + (b - a) t^2 / 2T sessions have begun; solved for t in the
/// form that is exact for b = a, too.
double arrivals::seconds_of(uint64_t number) const {
  const auto count = static_cast<double>(number);
  const double whole = std::chrono::duration<double>(length_).count();
  switch (spec_.kind) {
  case arrival_kind::ramp: {
    const double slope = whole > 0 ? (spec_.end_rate - spec_.rate) / whole : 0;
    const double root = spec_.rate * spec_.rate + 2 * slope * count;
    const double divisor = root >= 0 ? spec_.rate + std::sqrt(root) : 0;
    return count == 0 ? 0 : divisor > 0 ? 2 * count / divisor : never;
  }
  case arrival_kind::concurrency:
    return std::chrono::duration<double>(spread_).count() * count / spec_.concurrency;
  default:
    return spec_.rate > 0 ? count / spec_.rate : never;
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

uint64_t share_of_turns(const bench_plan& plan, uint32_t lane) {
  if (plan.bounds.turns == 0)
    return ~uint64_t{0};
  uint64_t lanes = std::max(plan.lanes, 1U);
  if (plan.arrivals.kind ==
      arrival_kind::concurrency) // the other lanes have no place for a session
    lanes = std::clamp<uint64_t>(plan.arrivals.concurrency, 1, lanes);
  if (lane >= lanes)
    return 0;
  return plan.bounds.turns / lanes + (lane < plan.bounds.turns % lanes ? 1 : 0);
}

nanoseconds spin_before(const bench_plan& plan) {
  const double per_lane = highest_rate(plan.arrivals) / std::max(plan.lanes, 1U);
  const double share = per_lane * std::chrono::duration<double>(longest_spin).count();
  return share > 0 && share < most_spinning ? longest_spin : nanoseconds::zero();
}

} // namespace troupe::bench

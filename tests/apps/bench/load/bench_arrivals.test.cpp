#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/bench/load/arrivals.hpp"
#include "apps/bench/load/random_source.hpp"
#include "tests/support/catch.hpp"

namespace bench_arrivals_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

bench_plan plan_of(arrival_kind kind, double rate, double end_rate = 0) {
  bench_plan out;
  out.arrivals = {kind, rate, end_rate, 1};
  out.bounds.warm_up = 2s;
  out.bounds.length = 8s;
  return out;
}

std::vector<nanoseconds> all_of(const bench_plan& plan, uint32_t lane = 0) {
  arrivals from{plan, lane};
  std::vector<nanoseconds> out;
  while (const auto at = from.next())
    out.push_back(*at);
  return out;
}

} // namespace

TEST_CASE("constant arrivals are exactly one gap apart, to the end", "[apps][bench]") {
  const auto all = all_of(plan_of(arrival_kind::constant, 200));
  REQUIRE(all.size() == 2000);
  for (size_t i = 0; i < all.size(); ++i)
    REQUIRE(all[i] == i * 5ms);
}

TEST_CASE("lanes take the constant arrivals in turn", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 10);
  plan.lanes = 3;
  CHECK(all_of(plan, 0).size() + all_of(plan, 1).size() + all_of(plan, 2).size() == 100);
  CHECK(all_of(plan, 1)[0] == 100ms);
  CHECK(all_of(plan, 2)[1] == 500ms);
}

TEST_CASE("poisson arrivals have the rate asked for and exponential gaps", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::poisson, 10'000);
  const auto all = all_of(plan);
  const double count = static_cast<double>(all.size());
  CHECK(std::abs(count - 100'000) < 4 * std::sqrt(100'000.));
  double squares = 0;
  nanoseconds before{0};
  for (auto at : all) {
    REQUIRE(at >= before);
    squares += std::pow(static_cast<double>((at - before).count()) / 1e5, 2);
    before = at;
  }
  CHECK(squares / count == Approx(2).epsilon(0.03)); // of the mean gap: twice its square
}

TEST_CASE("a seed alone decides poisson arrivals, and another one or lane changes them",
          "[apps][bench]") {
  auto plan = plan_of(arrival_kind::poisson, 100);
  plan.lanes = 2;
  const auto first = all_of(plan);
  CHECK(all_of(plan) == first);
  CHECK(all_of(plan, 1) != first);
  plan.seed = 2;
  CHECK(all_of(plan) != first);
}

TEST_CASE("a ramp begins as many sessions as its rates add up to", "[apps][bench]") {
  for (auto [from, to] : {std::pair{0., 100.}, {100., 0.}, {50., 50.}, {20., 180.}}) {
    INFO(from << " to " << to);
    const auto all = all_of(plan_of(arrival_kind::ramp, from, to));
    CHECK(std::abs(static_cast<double>(all.size()) - (from + to) / 2 * 10) <= 1);
    size_t first_half = 0;
    for (auto at : all)
      first_half += at < 5s ? 1 : 0;
    CHECK(std::abs(static_cast<double>(first_half) - (from + (to - from) / 4) * 5) <= 1);
    CHECK(std::is_sorted(all.begin(), all.end()));
  }
}

TEST_CASE("a ramp that turns alone bound reaches its end with the last of them", "[apps][bench]") {
  for (auto [from, to] : {std::pair{10., 190.}, {190., 10.}, {50., 50.}})
    for (auto warm_up : {0s, 3s}) {
      INFO(from << " to " << to);
      auto plan = plan_of(arrival_kind::ramp, from, to);
      plan.bounds.warm_up = warm_up;
      plan.bounds.length = 0s;
      plan.bounds.turns = 2000;
      plan.work.turns = 2;
      arrivals starts{plan, 0};
      std::vector<nanoseconds> all;
      size_t measured = 0;
      while (measured < 1000) {
        all.push_back(*starts.next());
        measured += all.back() >= warm_up ? 1 : 0;
      }
      CHECK(std::is_sorted(all.begin(), all.end()));
      const auto gap = [](nanoseconds earlier, nanoseconds later) {
        return std::chrono::duration<double>(later - earlier).count();
      };
      CHECK(1 / gap(all[all.size() - 2], all.back()) == Approx(to).epsilon(0.25));
      CHECK(gap(0ns, all.back()) ==
            Approx(2. * static_cast<double>(all.size()) / (from + to)).epsilon(0.01));
      const auto further = gap(all.back(), *starts.next()); // where some have failed
      CHECK(1 / further == Approx(to).epsilon(0.25));
    }
}

TEST_CASE("with concurrency the places are filled evenly over the warm-up", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.arrivals.concurrency = 8;
  plan.lanes = 2;
  CHECK(all_of(plan, 0) == std::vector<nanoseconds>{0ms, 500ms, 1000ms, 1500ms});
  CHECK(all_of(plan, 1) == std::vector<nanoseconds>{250ms, 750ms, 1250ms, 1750ms});
}

TEST_CASE("turns go to the lanes that have places, and none is lost", "[apps][bench]") {
  for (auto kind : {arrival_kind::constant, arrival_kind::concurrency})
    for (uint32_t places : {1U, 3U, 4U, 9U}) {
      auto plan = plan_of(kind, 10);
      plan.arrivals.concurrency = places;
      plan.bounds.turns = 10;
      plan.lanes = 4;
      uint64_t turns = 0;
      for (uint32_t lane = 0; lane < plan.lanes; ++lane)
        turns += all_of(plan, lane).empty() ? 0 : share_of_turns(plan, lane);
      CHECK(turns == 10);
    }
}

TEST_CASE("a lane has as many turns as its places of all places", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.arrivals.concurrency = 3;
  plan.bounds.turns = 3000;
  plan.lanes = 2;
  CHECK(share_of_turns(plan, 0) == 2000);
  CHECK(share_of_turns(plan, 1) == 1000);
  plan.bounds.turns = 10;
  CHECK(share_of_turns(plan, 0) == 7);
  CHECK(share_of_turns(plan, 1) == 3);
  plan.arrivals.kind = arrival_kind::constant;
  CHECK(share_of_turns(plan, 1) == 5);
}

TEST_CASE("a ramp from nothing has begun half of its end's sessions", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::ramp, 0);
  plan.arrivals.end_rate = 100;
  plan.bounds.length = 10s;
  plan.bounds.warm_up = 0s;
  const auto all = all_of(plan);
  CHECK(all.size() == 500);
  CHECK(std::is_sorted(all.begin(), all.end()));
  CHECK(all[125] == 5s); // a quarter of them in the first half
}

TEST_CASE("a rate of nothing begins nothing", "[apps][bench]") {
  for (auto kind : {arrival_kind::constant, arrival_kind::poisson})
    CHECK(all_of(plan_of(kind, 0)).size() <= 1);
}

TEST_CASE("starts are waited for without the kernel only where they are rare", "[apps][bench]") {
  CHECK(spin_before(plan_of(arrival_kind::constant, 999)) == 50us);
  CHECK(spin_before(plan_of(arrival_kind::constant, 1001)) == 0us);
  CHECK(spin_before(plan_of(arrival_kind::concurrency, 10)) == 0us);
}

TEST_CASE("what is drawn for a session has the shares and means of the plan", "[apps][bench]") {
  scenario work;
  work.cancel_share = 0.1;
  work.cancel_from = 100ms;
  work.cancel_to = 300ms;
  work.slow_share = 0.25;
  work.think = 1s;
  constexpr int count = 40'000;
  int cancelled = 0;
  int slow = 0;
  double think = 0;
  double after = 0;
  for (uint64_t session = 0; session < count; ++session) {
    const auto drawn = session_draws{1, 0, session}.next(work);
    cancelled += drawn.cancelled ? 1 : 0;
    slow += drawn.slow ? 1 : 0;
    think += std::chrono::duration<double>(drawn.think).count();
    after += std::chrono::duration<double>(drawn.cancel_after).count();
    REQUIRE(drawn.cancel_after >= 100ms);
    REQUIRE(drawn.cancel_after < 300ms);
  }
  CHECK(cancelled == Approx(count * 0.1).epsilon(0.06));
  CHECK(slow == Approx(count * 0.25).epsilon(0.04));
  CHECK(think / count == Approx(1).epsilon(0.03));
  CHECK(after / count == Approx(0.2).epsilon(0.01));
}

TEST_CASE("a share that is changed leaves the other draws as they were", "[apps][bench]") {
  scenario work;
  work.think = 1s;
  session_draws plain{7, 1, 3};
  plain.next(work);
  const auto second = plain.next(work);
  work.cancel_share = work.slow_share = 1;
  session_draws other{7, 1, 3};
  CHECK(other.next(work).cancelled);
  const auto same = other.next(work);
  CHECK(same.slow);
  CHECK(same.think == second.think);
}

} // namespace bench_arrivals_test

#include <vector>

#include "apps/bench/measure/latency_histogram.hpp"
#include "tests/support/catch.hpp"

namespace bench_histogram_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

TEST_CASE("quantiles keep three significant digits", "[apps][bench]") {
  latency_histogram times;
  for (int i = 1; i <= 10'000; ++i)
    times.record(i * 1us);
  CHECK(times.count() == 10'000);
  CHECK(times.quantile_ns(0.5) == Approx(5'000'000).epsilon(0.001));
  CHECK(times.quantile_ns(0.999) == Approx(9'990'000).epsilon(0.001));
  CHECK(times.quantile_ns(1) == times.max_ns());
  CHECK(times.min_ns() == Approx(1'000).epsilon(0.001));
  CHECK(times.max_ns() == Approx(10'000'000).epsilon(0.001));
  CHECK(times.mean_ns() == Approx(5'000'500).epsilon(0.001));
}

TEST_CASE("an empty histogram is all zeros and adds nothing", "[apps][bench]") {
  const latency_histogram none;
  CHECK(none.count() == 0);
  CHECK(none.quantile_ns(0.99) == 0);
  CHECK(none.mean_ns() == 0);
  CHECK(none.min_ns() == 0);
  CHECK(none.max_ns() == 0);
  bool visited = false;
  none.percentiles([&](double, int64_t, uint64_t) { visited = true; });
  CHECK_FALSE(visited);
  latency_histogram some;
  some.record(5ms);
  some.add(none);
  CHECK(some.count() == 1);
}

TEST_CASE("histograms that are added have the quantiles of all their values", "[apps][bench]") {
  latency_histogram low;
  latency_histogram high;
  low.record(1ms, 99);
  high.record(1s);
  low.add(high);
  CHECK(low.count() == 100);
  CHECK(low.quantile_ns(0.99) == Approx(1e6).epsilon(0.001));
  CHECK(low.quantile_ns(1) == Approx(1e9).epsilon(0.001));
  CHECK(high.count() == 1);
}

TEST_CASE("a copy of a histogram is its own", "[apps][bench]") {
  latency_histogram one;
  one.record(1ms);
  auto copy = one;
  copy.record(2ms);
  CHECK(one.count() == 1);
  copy = one;
  CHECK(copy.count() == 1);
}

TEST_CASE("what is out of range counts as the nearest value", "[apps][bench]") {
  latency_histogram times;
  times.record(-5ns);
  times.record(2h);
  CHECK(times.count() == 2);
  CHECK(times.min_ns() == 0);
  CHECK(times.max_ns() == Approx(3.6e12).epsilon(0.001));
}

TEST_CASE("the percentile axis rises to 100 % and ends with every value", "[apps][bench]") {
  latency_histogram times;
  for (int i = 1; i <= 1000; ++i)
    times.record(i * 1ms);
  double quantile = -1;
  int64_t value = 0;
  uint64_t count = 0;
  times.percentiles([&](double at, int64_t ns, uint64_t so_far) {
    CHECK(at >= quantile);
    CHECK(ns >= value);
    CHECK(so_far >= count);
    quantile = at;
    value = ns;
    count = so_far;
  });
  CHECK(quantile == 1);
  CHECK(count == 1000);
}

} // namespace bench_histogram_test

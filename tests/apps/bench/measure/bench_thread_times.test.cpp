#include "apps/bench/measure/process_probe.hpp"

#include <ctime>

#include <unistd.h>

#include "tests/support/catch.hpp"

namespace bench_thread_times_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

TEST_CASE("the CPU time of a thread of this process is seen by its id", "[apps][bench]") {
  const auto own = [] { return thread_times().at(::gettid()); };
  const auto before = own();
  while (own() < before + 1ms) {
  }
  timespec used{};
  REQUIRE(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0);
  const auto now = std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
  CHECK(own() >= now);
  CHECK(before <= now - 1ms);
}

TEST_CASE("the busiest of the threads that stayed is found", "[apps][bench]") {
  CHECK(busiest_share({{1, 1s}, {2, 5s}}, {{1, 2s}, {2, 5500ms}, {3, 9s}}, 2) == Approx(0.5));
  CHECK(busiest_share({}, {{3, 9s}}, 2) == 0);
  CHECK(busiest_share({{1, 0s}}, {{1, 1s}}, 0) == 0);
}

} // namespace bench_thread_times_test

#include <vector>

#include <unistd.h>

#include "apps/bench/measure/process_probe.hpp"
#include "tests/support/catch.hpp"

namespace bench_process_probe_test {

using namespace troupe::bench;

TEST_CASE("a process is seen with its CPU time, memory and descriptors", "[apps][bench]") {
  const auto now = look_at(::getpid());
  CHECK(now.seen);
  CHECK(now.cpu_seconds > 0);
  CHECK(now.rss > 1024 * 1024);
  CHECK(now.descriptors >= 3);
}

TEST_CASE("nobody and who is not there use nothing", "[apps][bench]") {
  for (int pid : {0, -1, 4'194'304, 0x7fffffff}) {
    CHECK_FALSE(look_at(pid).seen);
    process_probe probe{pid};
    probe.begin();
    probe.look();
    probe.end();
    CHECK(probe.usage().cpu_seconds == 0);
    CHECK(probe.usage().rss_most == 0);
  }
}

TEST_CASE("the CPU time between begin and end counts, in less than clock ticks", "[apps][bench]") {
  process_probe probe{::getpid()};
  probe.begin();
  const auto before = look_at(::getpid()).cpu_seconds;
  while (look_at(::getpid()).cpu_seconds < before + 0.001) {
  }
  probe.end();
  CHECK(probe.usage().cpu_seconds >= 0.001);
  CHECK(probe.usage().rss_most >= probe.usage().rss_first);
}

} // namespace bench_process_probe_test

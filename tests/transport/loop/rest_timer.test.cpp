#include "transport/loop/rest_timer.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace rest_timer_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

using clock = std::chrono::steady_clock;
constexpr auto patience = 30s;

} // namespace

TEST_CASE("a rest ends after its time, which may be none", "[transport][timer]") {
  loop home{0};
  std::unique_ptr<rest_timer> timer;
  for (auto rest : {0ms, 3ms, 0ms, 1ms}) {
    std::promise<void> over;
    const auto begun = clock::now();
    home.call([&] {
      timer = std::make_unique<rest_timer>(home, [&] { over.set_value(); });
      timer->start(rest);
    });
    REQUIRE(over.get_future().wait_for(patience) == std::future_status::ready);
    CHECK(clock::now() - begun >= rest);
    home.call([&] { timer.reset(); });
  }
}

TEST_CASE("rests follow one another, and one that is stopped does not end", "[transport][timer]") {
  loop home{0};
  std::unique_ptr<rest_timer> timer;
  std::promise<void> done;
  int times = 0;
  home.call([&] {
    timer = std::make_unique<rest_timer>(home, [&] {
      if (++times == 3)
        return done.set_value();
      timer->start(1ms);
    });
    for (auto rest : {0ms, 1ms}) {
      timer->start(rest);
      timer->stop();
    }
    timer->start(1ms);
  });
  CHECK(done.get_future().wait_for(patience) == std::future_status::ready);
  home.call([&] { timer.reset(); });
  CHECK(times == 3);
}

TEST_CASE("the end of a rest may destroy the timer", "[transport][timer]") {
  loop home{0};
  std::unique_ptr<rest_timer> timer;
  for (auto rest : {0ms, 1ms}) {
    std::promise<void> over;
    home.call([&] {
      timer = std::make_unique<rest_timer>(home, [&] {
        timer.reset();
        over.set_value();
      });
      timer->start(rest);
    });
    CHECK(over.get_future().wait_for(patience) == std::future_status::ready);
  }
}

TEST_CASE("a rest in which the loop serves others is longer", "[transport][timer]") {
  loop home{0};
  std::optional<timer> others;
  std::optional<rest_timer> rest;
  std::promise<void> over;
  const auto begun = clock::now();
  home.call([&] {
    others.emplace(home, [&] { others->start(0ms); });
    rest.emplace(home, [&] { over.set_value(); });
    others->start(0ms);
    rest->start(20ms);
  });
  REQUIRE(over.get_future().wait_for(patience) == std::future_status::ready);
  CHECK(clock::now() - begun >= rest_timer::beside_others);
  home.call([&] {
    others.reset();
    rest.reset();
  });
}

/// The shortest of many: the thread may not have run at the end of a single one.
TEST_CASE("a rest in a quiet loop is not longer", "[transport][timer]") {
  loop home{0};
  std::optional<rest_timer> rest;
  std::promise<void> done;
  auto shortest = clock::duration::max();
  auto begun = clock::now();
  int left = 50;
  home.call([&] {
    rest.emplace(home, [&] {
      shortest = std::min(shortest, clock::now() - begun);
      if (--left == 0)
        return done.set_value();
      begun = clock::now();
      rest->start(1ms);
    });
    rest->start(1ms);
  });
  REQUIRE(done.get_future().wait_for(patience) == std::future_status::ready);
  CHECK(shortest < rest_timer::beside_others);
  home.call([&] { rest.reset(); });
}

} // namespace rest_timer_test

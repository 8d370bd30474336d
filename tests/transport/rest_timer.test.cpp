#include "transport/rest_timer.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "tests/support/catch.hpp"
#include "transport/loop.hpp"
#include "transport/precise_timer.hpp"

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

TEST_CASE("a rest in which the loop serves others is longer, one in a quiet loop is not",
          "[transport][timer]") {
  loop home{0};
  std::optional<timer> others;
  std::optional<rest_timer> rest;
  std::optional<precise_timer> later;
  for (auto busy : {true, false}) {
    std::promise<bool> in_time; // before `later`
    home.call([&] {
      others.emplace(home, [&] { others->start(0ms); });
      rest.emplace(home, [&] {
        in_time.set_value(true);
        rest.reset();
        later.reset();
      });
      later.emplace(home, [&] {
        in_time.set_value(false);
        later.reset();
        rest.reset();
      });
      if (busy)
        others->start(0ms);
      rest->start(20ms);
      later->start(clock::now() + rest_timer::beside_others - 1ms);
    });
    auto seen = in_time.get_future();
    REQUIRE(seen.wait_for(patience) == std::future_status::ready);
    CHECK(seen.get() == !busy);
    home.call([&] { others.reset(); });
  }
}

#include <chrono>
#include <future>
#include <memory>

#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/precise_timer.hpp"

namespace precise_timer_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

using clock = std::chrono::steady_clock;
constexpr auto patience = 30s;

} // namespace

TEST_CASE("a precise timer fires once, and never before its time", "[transport][timer]") {
  loop home{0};
  std::unique_ptr<precise_timer> timer;
  for (auto delay : {0us, 300us, 1700us, 5000us}) {
    std::promise<clock::time_point> fired;
    clock::time_point due;
    home.call([&] {
      due = clock::now() + delay;
      timer = std::make_unique<precise_timer>(home, [&] { fired.set_value(clock::now()); });
      timer->start(due);
    });
    auto when = fired.get_future();
    REQUIRE(when.wait_for(patience) == std::future_status::ready);
    CHECK(when.get() >= due);
    home.call([&] { timer.reset(); });
  }
}

TEST_CASE("a precise timer fires for a time that has passed", "[transport][timer]") {
  loop home{0};
  std::unique_ptr<precise_timer> timer;
  std::promise<void> fired;
  home.call([&] {
    timer = std::make_unique<precise_timer>(home, [&] { fired.set_value(); });
    timer->start(clock::now() - 1h);
  });
  CHECK(fired.get_future().wait_for(patience) == std::future_status::ready);
  home.call([&] { timer.reset(); });
}

TEST_CASE("a later start of a precise timer takes the place of the one before",
          "[transport][timer]") {
  loop home{0};
  std::unique_ptr<precise_timer> timer;
  std::promise<void> fired;
  int times = 0;
  home.call([&] {
    timer = std::make_unique<precise_timer>(home, [&] {
      ++times;
      fired.set_value();
    });
    timer->start(clock::now() + 1h);
    timer->start(clock::now() + 1ms);
  });
  CHECK(fired.get_future().wait_for(patience) == std::future_status::ready);
  home.call([&] {
    CHECK(times == 1);
    timer.reset();
  });
}

} // namespace precise_timer_test

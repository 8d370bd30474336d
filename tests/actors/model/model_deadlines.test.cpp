#include "actors/model/model_stream_state.hpp"

#include "tests/support/catch.hpp"

namespace model_deadlines_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const model_deadlines::time_point zero{1000h};
const model_timeouts limits{10s, 120s, 60s, 600s};

model_deadlines running() {
  model_deadlines made{limits, zero};
  made.begin(limits, zero);
  return made;
}

} // namespace

TEST_CASE("the first event is waited for from the attempt's start", "[actors][model_deadlines]") {
  auto times = running();
  CHECK(times.passed(zero + 120s - 1ns) == errc::none);
  CHECK(times.passed(zero + 120s) == errc::model_first_token_timeout);
  times.begin(limits, zero + 100s);
  CHECK(times.passed(zero + 219s) == errc::none);
  CHECK(times.passed(zero + 220s) == errc::model_first_token_timeout);
  times.on_event();
  CHECK(times.passed(zero + 300s) == errc::none);
}

TEST_CASE("bytes without an event keep the idle time away, and not the first event's",
          "[actors][model_deadlines]") {
  auto times = running();
  for (auto at = 30s; at < 120s; at += 30s)
    times.on_bytes(zero + at);
  CHECK(times.passed(zero + 119s) == errc::none);
  CHECK(times.passed(zero + 120s) == errc::model_first_token_timeout);
}

TEST_CASE("the idle time runs from one read to the next", "[actors][model_deadlines]") {
  auto times = running();
  times.on_bytes(zero + 10s);
  times.on_event();
  CHECK(times.passed(zero + 70s - 1ns) == errc::none);
  CHECK(times.passed(zero + 70s) == errc::model_idle_timeout);
  times.on_bytes(zero + 50s);
  CHECK(times.passed(zero + 109s) == errc::none);
  CHECK(times.passed(zero + 110s) == errc::model_idle_timeout);
}

TEST_CASE("the total runs through everything", "[actors][model_deadlines]") {
  model_deadlines times{limits, zero};
  CHECK(times.passed(zero + 599s) == errc::none); // no attempt has begun
  CHECK(times.passed(zero + 600s) == errc::model_timeout);
  times.begin(limits, zero + 595s);
  times.pause(zero + 596s);
  CHECK(times.passed(zero + 600s) == errc::model_timeout);
  CHECK(times.left(zero + 595s) == 5s);
  CHECK(times.left(zero + 700s) == 0s);
}

TEST_CASE("what passed first counts", "[actors][model_deadlines]") {
  auto times = running();
  times.on_bytes(zero + 10s);
  CHECK(times.passed(zero + 1h) == errc::model_idle_timeout);
}

TEST_CASE("while the reading stands still only the total runs", "[actors][model_deadlines]") {
  auto times = running();
  SECTION("before the first event") {
    times.pause(zero + 100s);
    CHECK(times.passed(zero + 500s) == errc::none);
    times.resume(zero + 500s);
    CHECK(times.passed(zero + 519s) == errc::none);
    CHECK(times.passed(zero + 520s) == errc::model_first_token_timeout);
  }
  SECTION("after it") {
    times.on_bytes(zero + 10s);
    times.on_event();
    times.pause(zero + 50s);
    CHECK(times.passed(zero + 500s) == errc::none);
    times.resume(zero + 500s);
    CHECK(times.passed(zero + 559s) == errc::none);
    CHECK(times.passed(zero + 560s) == errc::model_idle_timeout);
  }
  SECTION("between two attempts") {
    times.rest();
    times.pause(zero + 200s);
    times.begin(limits, zero + 300s);
    times.resume(zero + 310s);
    CHECK(times.passed(zero + 429s) == errc::none);
    CHECK(times.passed(zero + 430s) == errc::model_first_token_timeout);
  }
}

TEST_CASE("a limit of zero never passes, nor does one of years", "[actors][model_deadlines]") {
  auto none = GENERATE(0ms, std::chrono::milliseconds::max());
  model_timeouts off{none, none, none, none};
  model_deadlines times{off, zero};
  times.begin(off, zero);
  times.on_bytes(zero);
  CHECK(times.passed(zero + 24h * 365) == errc::none);
  CHECK(times.next(zero) == model_deadlines::never);
  CHECK(times.left(zero) == std::chrono::milliseconds::max());
}

TEST_CASE("nothing passes before the wake-up that was asked for", "[actors][model_deadlines]") {
  auto times = running();
  auto wake = times.next(zero);
  CHECK(wake == zero + 60s); // the idle time may begin at any moment
  times.on_bytes(zero + 1ms);
  times.on_event();
  CHECK(times.passed(wake) == errc::none);
  CHECK(times.next(wake) == zero + 60s + 1ms);
  times.pause(zero + 60s);
  CHECK(times.next(zero + 60s) == zero + 120s);
  times.resume(zero + 61s);
  CHECK(times.next(zero + 61s) >= zero + 120s);
}

TEST_CASE("an answer is over some time after the model was done", "[actors][model_deadlines]") {
  auto times = running();
  times.on_bytes(zero);
  times.on_event();
  CHECK_FALSE(times.is_over(zero + 59s));
  times.set_done(true, zero + 10s);
  CHECK(times.next(zero + 10s) == zero + 10s + model_deadlines::end_grace);
  times.on_bytes(zero + 11s); // a comment
  CHECK_FALSE(times.is_over(zero + 12s - 1ns));
  CHECK(times.is_over(zero + 12s));
  times.set_done(false, zero + 11s); // it goes on
  CHECK_FALSE(times.is_over(zero + 59s));
  times.set_done(true, zero + 12s);
  CHECK(times.is_over(zero + 14s));
  times.begin(limits, zero + 20s);
  CHECK_FALSE(times.is_done());
  CHECK_FALSE(times.is_over(zero + 30s));
}

TEST_CASE("what is missing of an answer has its time while it is read",
          "[actors][model_deadlines]") {
  auto times = running();
  times.on_event();
  times.set_done(true, zero + 1s);
  times.pause(zero + 2s);
  CHECK_FALSE(times.is_over(zero + 60s));
  times.resume(zero + 60s);
  CHECK_FALSE(times.is_over(zero + 62s - 1ns));
  CHECK(times.is_over(zero + 62s));
}

} // namespace model_deadlines_test

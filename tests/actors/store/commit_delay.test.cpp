#include "actors/store/conversation_store_state.hpp"

#include <limits>

#include "tests/support/catch.hpp"

namespace commit_delay_test {

using namespace std::chrono_literals;
using troupe::commit_delay;

namespace {

/// Commits one after another, with writes that come at a steady pace.
struct steady_writes {
  std::chrono::microseconds apart;
  size_t in_a_commit = 1;
  uint64_t running_turns = 0;
  commit_delay delay = {};
  commit_delay::time_point now{1h};
  uint64_t writes = 0;

  /// Returns how long the store waits after the first write that comes after so much time.
  std::chrono::microseconds wait_after(std::chrono::microseconds time) {
    std::chrono::microseconds waits{0};
    for (const auto end = now + time; now < end;) {
      now += apart;
      ++writes;
      waits = delay.after_first(now, writes, running_turns);
      writes += in_a_commit - 1;
      now += apart * (in_a_commit - 1);
      delay.committed(in_a_commit);
    }
    return waits;
  }
};

} // namespace

TEST_CASE("a store waits a fifth of a millisecond where ten writes come in one and share commits",
          "[actors][conversation_store]") {
  CHECK(steady_writes{100us, 2}.wait_after(20ms) == 200us);
  CHECK(steady_writes{30us, 8}.wait_after(20ms) == 200us);
  CHECK(steady_writes{120us, 2}.wait_after(20ms) == 0us);
}

TEST_CASE("one who writes alone, however fast, waits for nothing", "[actors][conversation_store]") {
  CHECK(steady_writes{50us, 1}.wait_after(20ms) == 0us);
  CHECK(steady_writes{1ms, 1}.wait_after(20ms) == 0us);
}

TEST_CASE("a store waits 2 us for each of a thousand turns that run, at most 10 ms",
          "[actors][conversation_store]") {
  CHECK(steady_writes{1ms, 1, 999}.wait_after(50ms) == 0us);
  CHECK(steady_writes{1ms, 1, 1000}.wait_after(50ms) == 2ms);
  CHECK(steady_writes{20ms, 1, 3500}.wait_after(50ms) == 7ms);
  CHECK(steady_writes{1ms, 1, 5000}.wait_after(50ms) == 10ms);
  CHECK(steady_writes{1ms, 1, std::numeric_limits<uint64_t>::max()}.wait_after(50ms) == 10ms);
}

TEST_CASE("many turns that write fast wait no longer than few", "[actors][conversation_store]") {
  CHECK(steady_writes{50us, 4, 5000}.wait_after(20ms) == 200us);
}

TEST_CASE("a store that fell behind waits for nothing until it has caught up",
          "[actors][conversation_store]") {
  steady_writes slow{1ms, 1, 5000};
  slow.delay.fell_behind();
  CHECK(slow.wait_after(50ms) == 0us);
  slow.delay.caught_up();
  CHECK(slow.wait_after(50ms) == 10ms);

  steady_writes fast{50us, 4};
  fast.delay.fell_behind();
  CHECK(fast.wait_after(20ms) == 0us);
}

TEST_CASE("a store that had a rest does not wait for more", "[actors][conversation_store]") {
  steady_writes busy{50us, 4};
  REQUIRE(busy.wait_after(20ms) == 200us);
  busy.now += 1s;
  CHECK(busy.delay.after_first(busy.now, busy.writes + 1, 0) == 0us);
}

} // namespace commit_delay_test

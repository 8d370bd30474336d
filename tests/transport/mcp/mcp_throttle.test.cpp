#include "transport/mcp/mcp_throttle.hpp"

#include "tests/support/catch.hpp"

namespace mcp_throttle_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr mcp_flood_limits limits{
    .messages_per_second = 100, .message_burst = 100, .bytes_per_second = 1000, .byte_burst = 5000};

const mcp_throttle::clock::time_point start{1h};

} // namespace

TEST_CASE("a burst within the allowance is read on, in portions", "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  CHECK(throttle.take(64, 5000, start) == 0ms);
  CHECK(throttle.take(10, 0, start) == 2ms);
  CHECK(throttle.take(4, 0, start + 2ms) == 1ms); // one who comes with little at a time rests, too
  CHECK(throttle.take(4, 0, start + 2ms) == 2ms);
  CHECK(throttle.take(10, 0, start + 1h) == 0ms);
}

TEST_CASE("beyond the burst the reading rests until the rate has caught up",
          "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  CHECK(throttle.take(110, 0, start) == 100ms);
  CHECK(throttle.take(0, 0, start + 50ms) == 50ms);
  CHECK(throttle.take(0, 0, start + 100ms) == 0ms);
  CHECK(throttle.take(1, 0, start + 100ms) == 10ms);
}

TEST_CASE("bytes are limited beside messages", "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  CHECK(throttle.take(0, 7000, start) == 2s);
  CHECK(throttle.take(1, 3, start + 2s) == 0ms); // it does not pay to stop reading for so few
  CHECK(throttle.take(1, 1, start + 2s) == 4ms);
}

TEST_CASE("the shortest rest from messages is 10 ms", "[transport][mcp_throttle]") {
  mcp_throttle throttle{{.messages_per_second = 1e6, .message_burst = 1}};
  CHECK(throttle.take(2, 0, start) == 10ms);
}

TEST_CASE("a long silence saves no more than one burst", "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  CHECK(throttle.take(1, 0, start) == 0ms);
  CHECK(throttle.take(110, 0, start + 1h) == 100ms);
}

TEST_CASE("answers to our requests are not counted as messages", "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  for (int i = 0; i < 1000; ++i)
    throttle.expect_answer();
  CHECK(throttle.take(1000, 0, start) == 0ms);
  CHECK(throttle.take(100, 0, start) == 8ms); // a portion of the burst, not a debt
  CHECK(throttle.take(1, 0, start) == 10ms);
}

TEST_CASE("bytes of answers to our requests are free, those beside other messages are not",
          "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  for (int i = 0; i < 2; ++i)
    throttle.expect_answer();
  CHECK(throttle.take(1, 100'000, start) == 0ms);
  CHECK(throttle.take(2, 6000, start) == 1s);
}

TEST_CASE("a long answer to a request gives back at its end what it has taken",
          "[transport][mcp_throttle]") {
  mcp_throttle throttle{limits};
  throttle.expect_answer();
  CHECK(throttle.take(0, 6000, start) == 1s);
  CHECK(throttle.take(1, 4000, start) == 0ms);
  CHECK(throttle.take(0, 5000, start) == 0ms);
  CHECK(throttle.take(0, 1000, start) == 1s);
}

TEST_CASE("the first 16 MiB come at 16 MiB a second, all that follows at 4 MiB",
          "[transport][mcp_throttle]") {
  mcp_throttle throttle{mcp_flood_limits{}};
  CHECK(throttle.take(0, 192 * 1024, start) == 0ms);
  CHECK(throttle.take(0, 64 * 1024, start) == 0ms); // not worth a rest
  CHECK(throttle.take(0, 64 * 1024, start) == 8ms);
  mcp_throttle another{mcp_flood_limits{}};
  CHECK(another.take(0, 16 * 1024 * 1024, start) == 989ms);
  CHECK(another.take(0, 8 * 1024 * 1024, start + 1s) == 1s);
}

TEST_CASE("the portions of an answer that has ended are given back", "[transport][mcp_throttle]") {
  mcp_throttle throttle{mcp_flood_limits{}};
  for (int i = 0; i < 100; ++i) {
    throttle.expect_answer();
    CHECK(throttle.take(1, 64 * 1024, start) == 0ms);
  }
}

} // namespace mcp_throttle_test

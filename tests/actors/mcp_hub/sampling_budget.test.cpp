#include "actors/mcp_hub/sampling_budget.hpp"

#include "tests/support/catch.hpp"

namespace sampling_budget_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Limits that a test sets, and a clock that it moves.
struct budget {
  /// Returns how many of these requests were begun.
  int begin(int count, uint64_t call = 0, uint64_t tokens = 0) {
    int begun = 0;
    for (int i = 0; i < count; ++i)
      begun += (why = tested.begin(limits, call, tokens, now)).empty() ? 1 : 0;
    return begun;
  }

  sampling_limits limits{0, 0, 0, 0};
  sampling_budget tested;
  sampling_budget::time_point now{1h};
  std::string why;
};

} // namespace

TEST_CASE("a server has a number of answers a minute", "[actors][sampling_budget]") {
  budget b;
  b.limits.requests_per_minute = 60;
  CHECK(b.begin(100) == 60);
  CHECK(b.why == "at most 60 answers in a minute (samplingLimits.requestsPerMinute)");
  b.now += 10s;
  CHECK(b.begin(100) == 10);
  b.now += 1h;
  CHECK(b.begin(100) == 60);
}

TEST_CASE("a server has a number of answers a call", "[actors][sampling_budget]") {
  budget b;
  b.limits.requests_per_call = 20;
  CHECK(b.begin(25, 1) == 20);
  CHECK(b.why == "at most 20 answers in one call (samplingLimits.requestsPerCall)");
  CHECK(b.begin(5, 2) == 5);
  b.now += 1h;
  CHECK(b.begin(1, 1) == 0);
  b.tested.forget(1);
  CHECK(b.begin(1, 1) == 1);
  CHECK(b.begin(100) == 100); // of no known call
}

TEST_CASE("a server has a number of tokens a minute", "[actors][sampling_budget]") {
  budget b;
  b.limits.tokens_per_minute = 6000;
  CHECK(b.begin(10, 0, 1000) == 6);
  CHECK(b.why == "at most 6000 tokens in a minute (samplingLimits.tokensPerMinute)");
  b.now += 1min;
  SECTION("more than that is paid for later") {
    CHECK(b.begin(1, 0, 100) == 1);
    b.tested.end(0, 100, 12'000);
    CHECK(b.begin(1) == 0);
    b.now += 60s;
    CHECK(b.begin(1) == 0);
    b.now += 1s;
    CHECK(b.begin(1) == 1);
  }
  SECTION("less than was thought is given back") {
    CHECK(b.begin(1, 0, 50'000) == 1);
    CHECK(b.begin(1) == 0);
    b.tested.end(0, 50'000, 0);
    CHECK(b.begin(1) == 1);
  }
}

TEST_CASE("a server has a number of tokens a call", "[actors][sampling_budget]") {
  budget b;
  b.limits.tokens_per_call = 1000;
  CHECK(b.begin(1, 1, 10) == 1);
  b.tested.end(1, 10, 1000);
  CHECK(b.begin(1, 1) == 0);
  CHECK(b.why == "at most 1000 tokens in one call (samplingLimits.tokensPerCall)");
  CHECK(b.begin(1, 2) == 1);
  b.tested.forget(1);
  b.tested.end(1, 0, 5000); // an answer that came after its call was over
  CHECK(b.begin(1, 1) == 1);
}

TEST_CASE("without limits everything is begun", "[actors][sampling_budget]") {
  budget b;
  CHECK(b.begin(10'000, 1, 1'000'000) == 10'000);
  CHECK(b.tested.take_refused(b.now) == 0);
}

TEST_CASE("refusals are told once a minute, with their number", "[actors][sampling_budget]") {
  budget b;
  b.limits.requests_per_call = 1;
  b.begin(2, 1);
  CHECK(b.tested.take_refused(b.now) == 1);
  b.begin(100, 1);
  b.now += 59s;
  CHECK(b.tested.take_refused(b.now) == 0);
  b.now += 1s;
  CHECK(b.tested.take_refused(b.now) == 100);
  b.now += 1h;
  CHECK(b.tested.take_refused(b.now) == 0);
}

} // namespace sampling_budget_test

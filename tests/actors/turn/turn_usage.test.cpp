// What a turn that was broken off has used.
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/support/catch.hpp"

namespace turn_usage_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Sends a piece of an answer that goes on.
void stream(turn& t, const std::string& text) {
  model_output output;
  output.events = {text_delta{text}};
  t.on_model(output);
}

} // namespace

TEST_CASE_METHOD(turn_fixture, "a turn that is stopped in mid-answer counts its request",
                 "[actors][turn]") {
  auto t = make();
  CHECK(t.take_model_request());
  now += std::chrono::milliseconds{5};
  stream(t, "four");
  now += std::chrono::milliseconds{5};
  stream(t, "four more");
  t.abort("client");
  const auto report = t.take_report();
  REQUIRE(report.requests.size() == 1);
  const auto& request = report.requests[0];
  CHECK(request.model == "default");
  CHECK(request.error == errc::aborted);
  CHECK(request.first_token_us == 5000);
  CHECK(request.total_us == 10'000);
  CHECK(request.used.input_tokens == 1);  // "hi"
  CHECK(request.used.output_tokens == 4); // 13 bytes
  CHECK(request.used.total_tokens == 5);
  CHECK(report.used.total_tokens == 5);
}

TEST_CASE_METHOD(turn_fixture, "the end of a stopped turn tells what it has used",
                 "[actors][turn]") {
  auto t = make();
  CHECK(t.take_model_request());
  stream(t, "four");
  t.abort("stop");
  CHECK(std::get<session_end>(t.take_events().back()).used.output_tokens == 1);
}

TEST_CASE_METHOD(turn_fixture, "a request without any answer has no tokens", "[actors][turn]") {
  auto t = make();
  CHECK(t.take_model_request());
  t.abort("client");
  const auto report = t.take_report();
  REQUIRE(report.requests.size() == 1);
  CHECK(report.requests[0].used.total_tokens == 0);
  CHECK(report.requests[0].first_token_us == 0);
}

TEST_CASE_METHOD(turn_fixture, "a request that was not made, or is over, is not counted again",
                 "[actors][turn]") {
  auto before = make();
  before.abort("client");
  CHECK(before.take_report().requests.empty());
  auto calling = make();
  CHECK(calling.take_model_request());
  answer(calling, call("a", "echo", "{}"));
  calling.abort("client");
  CHECK(calling.take_report().requests.size() == 1);
}

TEST_CASE_METHOD(turn_fixture, "an answer that grows too long is counted, too", "[actors][turn]") {
  limits.max_turn_bytes = 100;
  auto t = make();
  CHECK(t.take_model_request());
  stream(t, std::string(200, 'x'));
  const auto report = t.take_report();
  REQUIRE(report.requests.size() == 1);
  CHECK(report.requests[0].error == errc::turn_limit_reached);
  CHECK(report.requests[0].used.output_tokens == 50);
}

} // namespace turn_usage_test

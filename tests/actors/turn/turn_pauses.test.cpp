#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/support/catch.hpp"

namespace turn_pauses_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string sealed = R"({"anthropic":{"model":"m","blocks":[{"type":"x"}]}})";

/// Answers with `text` and the provider's pause.
void pause(turn& t, const std::string& text, const std::string& metadata = sealed) {
  model_output output;
  if (!text.empty())
    output.events = {text_delta{text}};
  output.over = true;
  output.reason = finish_reason::stop;
  output.goes_on = true;
  output.used.total_tokens = 10;
  output.provider_metadata = metadata;
  t.on_model(output);
}

} // namespace

TEST_CASE_METHOD(turn_fixture, "an answer in which the provider paused is gone on from",
                 "[actors][turn]") {
  auto t = make();
  CHECK(t.take_model_request());
  pause(t, "one");
  CHECK_FALSE(t.over());
  CHECK(t.take_model_request());
  REQUIRE(history.size() == 2);
  CHECK(history[1].text == "one");
  CHECK(history[1].provider_metadata == sealed);
  answer(t, {text_delta{"two"}});
  CHECK(t.over());
  REQUIRE(history.size() == 3);
  CHECK(history[2].text == "two");
  auto end = last<session_end>(t.take_events());
  CHECK(end.reason == finish_reason::stop);
  CHECK(t.take_report().used.total_tokens == 20);
}

TEST_CASE_METHOD(turn_fixture, "blocks of the provider alone are kept while it pauses",
                 "[actors][turn]") {
  auto t = make();
  pause(t, "");
  REQUIRE(history.size() == 2);
  CHECK(history[1].provider_metadata == sealed);
  CHECK(t.take_model_request());
}

TEST_CASE_METHOD(turn_fixture, "an empty pause leaves no message", "[actors][turn]") {
  auto t = make();
  pause(t, "", "");
  CHECK(history.size() == 1);
}

TEST_CASE_METHOD(turn_fixture, "a provider that pauses for ever is not followed",
                 "[actors][turn]") {
  auto t = make();
  auto pauses = 0;
  while (!t.over()) {
    REQUIRE(pauses < 20);
    ++pauses;
    pause(t, "on");
  }
  CHECK(pauses == 9);
  CHECK(last<session_end>(t.take_events()).reason == finish_reason::stop);
}

TEST_CASE_METHOD(turn_fixture, "the bound of tokens holds for pauses, too", "[actors][turn]") {
  limits.max_turn_tokens = 15;
  auto t = make();
  pause(t, "one");
  pause(t, "two");
  CHECK(t.over());
  CHECK(t.error().code == errc::turn_limit_reached);
}

TEST_CASE_METHOD(turn_fixture, "calls in an answer that goes on are run first", "[actors][turn]") {
  auto t = make();
  model_output output;
  output.events = call("c", "echo");
  output.over = true;
  output.reason = finish_reason::tool_calls;
  output.goes_on = true;
  t.on_model(output);
  CHECK(t.state_now() == turn::state::calling);
}

} // namespace turn_pauses_test

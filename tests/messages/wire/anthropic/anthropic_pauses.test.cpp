// An answer in which Anthropic paused goes back as it came, and as the last message.
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace anthropic_pauses_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string body_of(const chat_message& answer, const char* model,
                    bool without_sealed_reasoning = false) {
  const std::vector<chat_message> history{user_message("hi"), answer};
  model_config asked;
  asked.name = model;
  asked.provider = "anthropic";
  return accepted_body(
      "anthropic",
      {.model = asked, .history = history, .without_sealed_reasoning = without_sealed_reasoning});
}

bool goes_on(const std::string& body) {
  return body.find("Go on.") == std::string::npos;
}

/// Checks that the pause is gone on from by its own model only.
void check(const decoded_body& pause) {
  REQUIRE(pause.end.goes_on);
  CHECK(goes_on(body_of(pause.message(), "m")));
  CHECK_FALSE(goes_on(body_of(pause.message(), "another")));
  CHECK_FALSE(goes_on(body_of(pause.message(), "m", true)));
}

} // namespace

TEST_CASE("a pause in the provider's own tools is gone on from", "[messages][anthropic]") {
  const answer_fixtures corpus{"anthropic"};
  for (const auto& each : corpus.all())
    if (each.name.starts_with("pause_turn")) {
      INFO("fixture " << each.name);
      check(decode_body("anthropic", each.frame, {each.body}));
    }
}

TEST_CASE("a pause in a text is gone on from", "[messages][anthropic]") {
  const auto pause = decode_body(
      "anthropic", {200, "application/json"},
      {R"({"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text",)"
       R"("text":"I go on."}],"stop_reason":"pause_turn","usage":{"output_tokens":3}})"});
  check(pause);
  CHECK(body_of(pause.message(), "m")
            .find(R"({"role":"assistant","content":[{"type":"text",)"
                  R"("text":"I go on."}]}])") != std::string::npos);
}

} // namespace anthropic_pauses_test

// Every quirk of a server of the Responses API gives the events that it means, however the network
// cuts the bytes, and leaves a chat that goes on.
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/support/openai_responses_request_check.hpp"

namespace responses_fixtures_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Takes over an answer as a decoder gave it.
chat_message answer_of(const decoded_body& decoded) {
  chat_message made;
  made.who = role::assistant;
  made.text = decoded.text();
  made.reasoning = decoded.reasoning();
  for (const auto& each : decoded.calls())
    made.tool_calls.push_back(
        {each.tool_call_id, each.tool_name, each.arguments.text, each.provider_metadata.text});
  made.provider_metadata = decoded.end.provider_metadata;
  return made;
}

std::string fault_behind(const decoded_body& decoded) {
  model_config model;
  model.name = "m";
  const std::vector<chat_message> history{user_message("first"), answer_of(decoded),
                                          user_message("second")};
  const auto body = find_provider("openai-responses")->make_request({model, history}).body;
  return openai_responses_body_fault(body);
}

} // namespace

TEST_CASE("each quirk of a Responses server gives its events, however the bytes are cut",
          "[messages][openai_responses]") {
  const answer_fixtures corpus{"openai-responses"};
  CHECK(corpus.all().size() >= 80);
  check_fixtures(corpus);
}

TEST_CASE("each of the known quirks of Responses servers has its fixtures",
          "[messages][openai_responses]") {
  check_quirk_rows(answer_fixtures{"openai-responses"}, 27);
}

TEST_CASE("a Responses answer that breaks off anywhere leaves a chat that goes on",
          "[messages][openai_responses]") {
  for_each_broken_fixture(answer_fixtures{"openai-responses"}, [](const decoded_body& decoded) {
    const auto fault = fault_behind(decoded);
    CHECK(fault == "");
    return fault.empty();
  });
}

} // namespace responses_fixtures_test

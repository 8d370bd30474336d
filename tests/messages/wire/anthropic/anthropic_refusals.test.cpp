// A turn that Anthropic has refused is left out of what Anthropic sees.
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace anthropic_refusals_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using history = std::vector<chat_message>;

const tool_set one_tool{1, {{"get", "Gets.", R"({"type":"object","properties":{}})", "s", "get"}}};

std::string body_of(const history& messages) {
  model_config model;
  model.name = "claude-sonnet-4-5";
  model.provider = "anthropic";
  return accepted_body("anthropic", {.model = model, .history = messages, .tools = &one_tool});
}

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

} // namespace

TEST_CASE("a turn that was refused is not shown again", "[messages][anthropic]") {
  auto question = says(role::user, "a bad question");
  question.refused = true;
  auto answer = says(role::assistant, "Well");
  answer.tool_calls = {{"toolu_1", "get", "{}"}};
  auto result = says(role::tool, "done");
  result.tool_call_id = "toolu_1";
  history chat{says(role::user, "hello"), says(role::assistant, "hi"), question, answer, result};
  CHECK(body_of(chat).find("a bad question") != std::string::npos); // it is still asked
  chat.push_back(says(role::user, "another question"));
  const auto body = body_of(chat);
  CHECK(body.find("a bad question") == std::string::npos);
  CHECK(body.find("toolu_1") == std::string::npos);
  CHECK(body.find("another question") != std::string::npos);
  CHECK(body == body_of({chat[0], chat[1], chat[5]}));

  chat[2].refused = false; // another model has answered since
  CHECK(body_of(chat).find("a bad question") != std::string::npos);
}

TEST_CASE("an answer says whether the provider refused the turn", "[messages][anthropic]") {
  const answer_fixtures corpus{"anthropic"};
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    const auto end = decode_body("anthropic", each.frame, {each.body}).end;
    CHECK(end.refused == end.raw_reason.starts_with("refusal"));
  }
}

} // namespace anthropic_refusals_test

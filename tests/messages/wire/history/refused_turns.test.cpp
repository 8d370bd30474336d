// A turn that a provider has refused is left out of what it sees.
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace refused_turns_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using history = std::vector<chat_message>;

const tool_set one_tool{1, {{"get", "Gets.", R"({"type":"object","properties":{}})", "s", "get"}}};

std::string body_of(const std::string& provider, const history& messages) {
  model_config model;
  model.name = provider == "anthropic" ? "claude-sonnet-4-5" : "gemini-2.5-flash";
  model.provider = provider;
  return accepted_body(provider, {.model = model, .history = messages, .tools = &one_tool});
}

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

} // namespace

TEST_CASE("a turn that was refused is not shown again", "[messages][refused_turns]") {
  const auto provider = GENERATE(as<std::string>{}, "anthropic", "gemini");
  auto question = says(role::user, "a bad question");
  question.refused = true;
  auto answer = says(role::assistant, "Well");
  answer.tool_calls = {{"toolu_1", "get", "{}"}};
  auto result = says(role::tool, "done");
  result.tool_call_id = "toolu_1";
  history chat{says(role::user, "hello"), says(role::assistant, "hi"), question, answer, result};
  CHECK(body_of(provider, chat).find("a bad question") != std::string::npos); // it is still asked
  chat.push_back(says(role::user, "another question"));
  const auto body = body_of(provider, chat);
  CHECK(body.find("a bad question") == std::string::npos);
  CHECK(body.find("Well") == std::string::npos);
  CHECK(body.find("another question") != std::string::npos);
  CHECK(body == body_of(provider, {chat[0], chat[1], chat[5]}));

  chat[2].refused = false; // another model has answered since
  CHECK(body_of(provider, chat).find("a bad question") != std::string::npos);
}

TEST_CASE("an answer says whether Anthropic refused the turn", "[messages][refused_turns]") {
  const answer_fixtures corpus{"anthropic"};
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    const auto end = decode_body("anthropic", each.frame, {each.body}).end;
    CHECK(end.refused == end.raw_reason.starts_with("refusal"));
  }
}

TEST_CASE("an answer says whether Gemini blocked the prompt", "[messages][refused_turns]") {
  const answer_fixtures corpus{"gemini"};
  size_t blocked = 0;
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    const auto end = decode_body("gemini", each.frame, {each.body}).end;
    CHECK(end.refused == each.name.starts_with("prompt_blocked"));
    blocked += end.refused ? 1 : 0;
  }
  CHECK(blocked == 2);
}

} // namespace refused_turns_test

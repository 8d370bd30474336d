// Chats whose providers change: whatever came from one of them, all others take what they are sent.
#include <random>

#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace provider_switch_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using messages = std::vector<chat_message>;

model_config named(std::string provider, std::string name) {
  model_config model;
  model.name = std::move(name);
  model.provider = std::move(provider);
  model.images = true;
  model.documents = model.provider != "ollama";
  return model;
}

/// Models of each provider; "m" is the one that decode_body() reads for, and gets its seals back.
const std::vector<model_config> asked{named("openai", "m"),
                                      named("anthropic", "m"),
                                      named("openai-responses", "m"),
                                      named("gemini", "m"),
                                      named("ollama", "m"),
                                      named("anthropic", "claude-sonnet-4-5"),
                                      named("gemini", "gemini-3-flash"),
                                      named("gemini", "gemini-2.5-flash")};

/// Returns the first fault in what the models are sent, with the body.
std::string fault_of_all(const messages& history) {
  for (const auto& model : asked) {
    const model_request request{.model = model, .history = history};
    const auto body = find_provider(model.provider)->make_request(request).body;
    if (auto found = request_fault(model.provider, request, body); !found.empty())
      return model.provider + ": " + found + "\n" + body;
    if (body.find(R"("blocks":)") != std::string::npos)
      return model.provider + " is sent the list of sealed blocks itself\n" + body;
    for (const auto& each : history)
      if (each.who == role::user && body.find(each.text) == std::string::npos)
        return model.provider + " is not sent what the user wrote\n" + body;
  }
  return {};
}

/// Decodes a body as that model's answer.
decoded_body decode_as(const model_config& model, const answer_fixture& from,
                       std::string id_prefix) {
  auto decoder = find_provider(model.provider)->make_decoder(model, std::move(id_prefix));
  decoder->head(from.frame.status, from.frame.content_type, from.frame.retry_after);
  decoded_body answer;
  answer.end = decoder->feed(from.body, answer.events);
  if (!answer.end.over)
    answer.end = decoder->finish(from.frame.cut, answer.events);
  return answer;
}

/// Adds the answer, and a result for each of its calls, the last one first.
void add_round(messages& history, chat_message answer) {
  const auto calls = answer.tool_calls;
  history.push_back(std::move(answer));
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    auto& result = history.emplace_back();
    result.who = role::tool;
    result.text = "result of " + call->id;
    result.tool_call_id = call->id;
    result.failed = call->name.size() % 2 == 0;
  }
}

} // namespace

TEST_CASE("an answer of any provider, broken off anywhere, leaves a chat that all of them take",
          "[messages][provider_switch]") {
  for (auto provider : provider_names()) {
    chat_message before;
    for_each_broken_fixture(answer_fixtures{std::string{provider}}, [&](const decoded_body& from) {
      auto answer = from.message();
      if (answer == before) // most bytes change nothing
        return true;
      before = answer;
      return fault_of_all({user_message("first"), std::move(answer), user_message("second")})
          .empty();
    });
  }
}

TEST_CASE("20 turns with tools that change the provider each turn break no rule of any of them",
          "[messages][provider_switch]") {
  std::vector<std::vector<answer_fixture>> answers;
  for (const auto& each : asked)
    answers.push_back(answer_fixtures{each.provider}.all());
  std::mt19937 random{3};
  for (int chat = 0; chat < 20; ++chat) {
    messages history;
    for (size_t turn = 0; turn < 20; ++turn) {
      const auto by = turn % asked.size();
      const auto& from = answers[by][random() % answers[by].size()];
      history.push_back(user_message("turn " + std::to_string(turn)));
      add_round(history, decode_as(asked[by], from, fmt::format("t{}-", turn)).message());
      INFO("turn " << turn << " after " << from.name << " of " << asked[by].provider);
      REQUIRE(fault_of_all(history) == "");
    }
  }
}

} // namespace provider_switch_test

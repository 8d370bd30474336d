// What each provider cannot be asked for is left out of its requests, and noted.
#include <algorithm>

#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace left_out_test {

using namespace troupe;
using namespace troupe::test;
using names = std::vector<std::string>;

namespace {

const tool_set one_tool{1, {{"get", "Gets.", R"({"type":"object","properties":{}})", "s", "get"}}};

model_config model_of(std::string provider) {
  model_config model;
  model.name = "m";
  model.provider = std::move(provider);
  model.base_url = "http://127.0.0.1:1";
  return model;
}

http_request ask(const model_config& model, std::string_view parameters) {
  const std::vector<chat_message> history{user_message("hi")};
  return accepted_request(
      model.provider,
      {.model = model, .history = history, .tools = &one_tool, .parameters = parameters});
}

/// Returns what a request with these parameters lacks, in alphabetical order.
names left_out(std::string provider, std::string_view parameters) {
  const auto model = model_of(std::move(provider));
  ask(model, parameters);
  auto found = model.lessons.take_left_out();
  std::ranges::sort(found);
  return found;
}

constexpr auto many = R"({"temperature":0.5,"top_p":0.9,"top_k":3,"seed":1,"stop":["x"],"n":2,)"
                      R"("presence_penalty":1,"frequency_penalty":1,"user":"u","logit_bias":{},)"
                      R"("parallel_tool_calls":false,"tool_choice":"required"})";

} // namespace

TEST_CASE("each provider notes what it has no word for", "[messages][provider]") {
  CHECK(left_out("openai", many).empty());
  CHECK(left_out("openai-responses", many) ==
        names{"frequency_penalty", "logit_bias", "n", "presence_penalty", "seed", "stop", "top_k"});
  CHECK(left_out("anthropic", many) ==
        names{"frequency_penalty", "logit_bias", "n", "presence_penalty", "seed"});
  CHECK(left_out("gemini", many) == names{"logit_bias", "n", "parallel_tool_calls", "user"});
  CHECK(left_out("ollama", many) ==
        names{"logit_bias", "n", "parallel_tool_calls", "tool_choice", "user"});
}

TEST_CASE("what was not asked for, or taken back, is not left out", "[messages][provider]") {
  for (const auto* provider : {"openai", "openai-responses", "anthropic", "gemini", "ollama"}) {
    INFO(provider);
    CHECK(left_out(provider, "").empty());
    CHECK(left_out(provider, R"({"seed":null,"n":null,"logit_bias":null,"user":null})").empty());
  }
}

TEST_CASE("what only some models of Anthropic refuse is noted for them", "[messages][provider]") {
  auto model = model_of("anthropic");
  model.model = "claude-opus-4-8";
  ask(model, R"({"temperature":0.5})");
  CHECK(model.lessons.take_left_out() == names{"temperature"});
  model = model_of("anthropic");
  model.generation.reasoning_budget = 2048;
  model.model = "claude-sonnet-4-5";
  ask(model, R"({"top_k":3,"response_format":{"type":"json_object"}})");
  CHECK(model.lessons.take_left_out() == names{"top_k", "response_format"});
}

TEST_CASE("chat completions have no budget of thoughts", "[messages][provider]") {
  auto model = model_of("openai");
  model.generation.reasoning_budget = 2048;
  ask(model, "");
  CHECK(model.lessons.take_left_out() == names{"reasoning.budget"});
}

} // namespace left_out_test

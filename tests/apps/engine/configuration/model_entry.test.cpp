// Entries of `models`, as a configuration has them.
#include <string>
#include <utility>
#include <vector>

#include "apps/engine/config.hpp"
#include "tests/support/catch.hpp"

namespace model_entry_test {

using namespace troupe;

namespace {

std::string error_of(const std::string& json) {
  engine_config config;
  return parse_config(json, config).message;
}

} // namespace

TEST_CASE("a model says how it is asked", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"models":{
    "a":{"base_url":"http://x","images":true,"reasoning":"strip",
         "parameters":{"temperature": 0.5},
         "maxAttempts":5,"retryDelayMs":1,"maxRetryDelayMs":2,"fallback":"b",
         "maxConcurrent":7,"maxQueued":8,
         "timeouts":{"connectMs":1,"firstTokenMs":2,"idleMs":3,"totalMs":0}},
    "b":{"base_url":"http://x","reasoning":"empty"}}})",
                             config));
  const auto& model = config.models.at("a");
  CHECK(model.images);
  CHECK(model.reasoning == reasoning_policy::strip);
  CHECK(model.parameters == R"({"temperature": 0.5})");
  CHECK(model.max_attempts == 5);
  CHECK(model.retry_delay.count() == 1);
  CHECK(model.max_retry_delay.count() == 2);
  CHECK(model.fallback == "b");
  CHECK(model.max_concurrent == 7);
  CHECK(model.max_queued == 8);
  CHECK(model.timeouts.connect.count() == 1);
  CHECK(model.timeouts.first_token.count() == 2);
  CHECK(model.timeouts.idle.count() == 3);
  CHECK(model.timeouts.total.count() == 0);
  CHECK(config.models.at("b").reasoning == reasoning_policy::empty);
  CHECK(config.models.at("b").parameters.empty());
  CHECK_FALSE(config.models.at("b").images);
}

TEST_CASE("a model's wrong settings are refused", "[apps][config]") {
  auto error = [](const std::string& members) {
    return error_of(R"({"models":{"m":{"base_url":"http://x",)" + members + "}}}");
  };
  CHECK(error(R"("maxAttempts":0)") == "models.m.maxAttempts must be a whole number from 1 to 10");
  CHECK(error(R"("maxAttempts":11)").find("models.m.maxAttempts must be") == 0);
  CHECK(error(R"("reasoning":"sometimes")").find("models.m.reasoning must be") == 0);
  CHECK(error(R"("reasoning":{"effort":"some"})").find("models.m.reasoning.effort must be") == 0);
  CHECK(error(R"("reasoning":{"history":"low"})").find("models.m.reasoning.history must be") == 0);
  CHECK(error(R"("reasoning":{"budget":-2})").find("models.m.reasoning.budget must be") == 0);
  CHECK(error(R"("toolChoice":"look")").find("models.m.toolChoice must be") == 0);
  CHECK(error(R"("responseSchema":7)").find("models.m.responseSchema must be") == 0);
  CHECK(error(R"("maxOutputTokens":-1)").find("models.m.maxOutputTokens must be") == 0);
  CHECK(error(R"("headers":{"a b":"c"})").find("models.m.headers holds a name") == 0);
  CHECK(error(R"("headers":{"a":"b\nc"})") ==
        "models.m.headers.a must not hold control characters");
  CHECK(error(R"("reasoning":"")").find("models.m.reasoning must be") == 0);
  CHECK(error(R"("parameters":[])") == "models.m.parameters must be an object");
  CHECK(error(R"("maxConcurent":1)") ==
        "models.m.maxConcurent is not a known key; did you mean 'maxConcurrent'?");
  CHECK(error(R"("timeouts":{"firstByteMs":1})") ==
        "models.m.timeouts.firstByteMs is not a known key; did you mean 'firstTokenMs'?");
}

TEST_CASE("what each answer is asked for is said in words of no provider", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"models":{
    "a":{"base_url":"http://x","documents":true,"audio":true,"headers":{"api-key":"k"},"maxOutputTokens":100,
         "contextTokens":8192,"cache":false,"parallelToolCalls":false,"toolChoice":"required",
         "responseSchema":{"type":"object"},
         "reasoning":{"effort":"low","budget":2048,"history":"strip"}},
    "b":{"base_url":"http://x","reasoning":"high",
         "toolChoice":{"type":"function","function":{"name":"look"}}},
    "c":{"base_url":"http://x"}}})",
                             config));
  const auto& a = config.models.at("a");
  CHECK(a.documents);
  CHECK(a.audio);
  REQUIRE(a.fields.size() == 1);
  CHECK(a.fields[0].value == "k");
  CHECK(a.generation.max_output_tokens == 100);
  CHECK(a.generation.context_tokens == 8192);
  CHECK_FALSE(a.generation.cache);
  CHECK(a.generation.parallel_tool_calls == 0);
  CHECK(a.generation.tool_choice == R"("required")");
  CHECK(a.generation.response_schema == R"({"type":"object"})");
  CHECK(a.generation.reasoning_effort == "low");
  CHECK(a.generation.reasoning_budget == 2048);
  CHECK(a.reasoning == reasoning_policy::strip);
  const auto& b = config.models.at("b");
  CHECK(b.generation.reasoning_effort == "high");
  CHECK(b.generation.tool_choice.find("look") != std::string::npos);
  const auto& c = config.models.at("c").generation;
  CHECK(c.cache);
  CHECK(c.parallel_tool_calls == -1);
  CHECK(c.reasoning_budget == -2);
}

TEST_CASE("fallbacks are models, and end somewhere", "[apps][config]") {
  auto error = [](const std::vector<std::pair<std::string, std::string>>& fallbacks) {
    std::string members;
    for (const auto& [name, next] : fallbacks)
      members += (members.empty() ? "\"" : ",\"") + name +
                 R"(":{"base_url":"http://x","fallback":")" + next + "\"}";
    return error_of(R"({"models":{)" + members + "}}");
  };
  CHECK(error({{"a", "b"}, {"b", "c"}, {"c", ""}, {"d", "b"}}).empty());
  CHECK(error({{"a", "b"}}) == "models.a.fallback names 'b', which is no key of models");
  CHECK(error({{"a", "a"}}) == "models.a.fallback leads back to 'a'");
  CHECK(error({{"a", "b"}, {"b", "c"}, {"c", "b"}}) == "models.a.fallback leads back to 'b'");
}

} // namespace model_entry_test

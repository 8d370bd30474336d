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
  CHECK(error(R"("reasoning":"none")") ==
        R"(models.m.reasoning must be "keep", "empty" or "strip")");
  CHECK(error(R"("reasoning":"")").find("models.m.reasoning must be") == 0);
  CHECK(error(R"("parameters":[])") == "models.m.parameters must be an object");
  CHECK(error(R"("maxConcurent":1)") ==
        "models.m.maxConcurent is not a known key; did you mean 'maxConcurrent'?");
  CHECK(error(R"("timeouts":{"firstByteMs":1})") ==
        "models.m.timeouts.firstByteMs is not a known key; did you mean 'firstTokenMs'?");
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

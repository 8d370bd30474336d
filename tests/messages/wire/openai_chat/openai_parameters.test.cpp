#include "messages/wire/openai_chat/openai_chat.hpp"

#include "tests/support/catch.hpp"

namespace openai_parameters_test {

using namespace troupe;

namespace {

tool_set one_tool() {
  tool_set made;
  made.tools.emplace_back();
  return made;
}

std::string written(std::string_view configured, std::string_view asked, uint32_t max_tokens = 0,
                    const tool_set& tools = one_tool()) {
  model_config model;
  model.parameters = configured;
  json_buffer out;
  append_openai_parameters(out, {model, {}, &tools, max_tokens, -1, asked}, dialect_of(model));
  return std::string{view(out)};
}

} // namespace

TEST_CASE("parameters of configuration and request are merged", "[messages][openai_chat]") {
  CHECK(written("", "").empty());
  CHECK(written(R"({"temperature":0.5,"top_p":1})", R"({ "temperature" : 0, "seed":7 })") ==
        R"(,"temperature":0,"top_p":1,"seed":7)");
  CHECK(written(R"({"a\n":{"x":[1, 2]},"b":"q\"","a\n":null})", "") == R"(,"a\n":null,"b":"q\"")");
}

TEST_CASE("what the engine decides on is not up to parameters", "[messages][openai_chat]") {
  CHECK(written(R"({"model":"x","messages":[],"stream":false,"n":1})",
                R"({"stream_options":null,"tools":[],"mess\u0061ges":[]})") == R"(,"n":1)");
  CHECK(written("no JSON", "[1]").empty());
}

TEST_CASE("without tools nothing is said about them", "[messages][openai_chat]") {
  const auto* parameters = R"({"tool_choice":"auto","parallel_tool_calls":false})";
  CHECK(written(parameters, "") == R"(,"tool_choice":"auto","parallel_tool_calls":false)");
  CHECK(written(parameters, "", 0, {}).empty());
}

TEST_CASE("a call is demanded until one was made", "[messages][openai_chat]") {
  const model_config model;
  auto after_calls = [&](std::string_view parameters) {
    const auto tools = one_tool();
    json_buffer out;
    append_openai_parameters(out, {model, {}, &tools, 0, -1, parameters, "", true},
                             dialect_of(model));
    return std::string{view(out)};
  };
  for (const char* choice : {R"("required")", R"({"type":"function","function":{"name":"t"}})"}) {
    auto parameters = R"({"tool_choice":)" + std::string{choice} + R"(,"seed":7})";
    CHECK(written(parameters, "") == R"(,"tool_choice":)" + std::string{choice} + R"(,"seed":7)");
    CHECK(after_calls(parameters) == R"(,"seed":7)");
  }
  for (const char* choice : {R"("none")", R"("auto")", R"({"type":"allowed_tools"})", "null"}) {
    auto parameters = R"({"tool_choice":)" + std::string{choice} + "}";
    CHECK(after_calls(parameters) == R"(,"tool_choice":)" + std::string{choice});
  }
}

TEST_CASE("a bound of the engine wins, under the name that the model knows",
          "[messages][openai_chat]") {
  CHECK(written("", "", 64) == R"(,"max_tokens":64)");
  CHECK(written(R"({"max_tokens":9})", R"({"max_tokens":5})", 64) == R"(,"max_tokens":64)");
  CHECK(written(R"({"max_tokens":9})", R"({"max_completion_tokens":5})", 64) ==
        R"(,"max_completion_tokens":64)");
  CHECK(written(R"({"max_tokens":9})", "") == R"(,"max_tokens":9)");
}

TEST_CASE("a request's bound replaces the configured one, whatever their names",
          "[messages][openai_chat]") {
  CHECK(written(R"({"max_tokens":9})", R"({"max_completion_tokens":5})") ==
        R"(,"max_completion_tokens":5)");
  CHECK(written(R"({"max_completion_tokens":9,"top_p":1})", R"({"max_tokens":5})") ==
        R"(,"top_p":1,"max_tokens":5)");
  CHECK(written(R"({"max_completion_tokens":9})", R"({"top_p":1})") ==
        R"(,"max_completion_tokens":9,"top_p":1)");
}

TEST_CASE("a bound of null takes away none but the one of its name", ) {
  CHECK(written(R"({"max_completion_tokens":9})", R"({"max_tokens":null})") ==
        R"(,"max_completion_tokens":9)");
  CHECK(written(R"({"max_tokens":9})", R"({"max_tokens":null,"top_p":1})") == R"(,"top_p":1)");
  CHECK(written("", R"({"max_tokens":null,"max_completion_tokens":5})") ==
        R"(,"max_completion_tokens":5)");
}

} // namespace openai_parameters_test

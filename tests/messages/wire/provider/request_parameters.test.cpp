#include "messages/wire/provider/request_parameters.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace request_parameters_test {

using namespace troupe;

namespace {

tool_set one_tool() {
  tool_set made;
  made.tools.resize(1);
  made.tools[0].name = "look";
  return made;
}

request_parameters read(std::string_view configured, std::string_view asked = {},
                        bool has_results = false) {
  static const std::vector<chat_message> history;
  static const auto tools = one_tool();
  model_config model;
  model.parameters = configured;
  return read_parameters({.model = model,
                          .history = history,
                          .tools = &tools,
                          .parameters = asked,
                          .has_results = has_results});
}

} // namespace

TEST_CASE("parameters are read by their meaning, and what a client asks wins",
          "[messages][request_parameters]") {
  auto made = read(R"({"temperature":0.2,"top_p":1,"stop":"END","max_tokens":5,"top_k":7})",
                   R"({"temperature":1.5,"max_completion_tokens":9,"stop":["a","b"]})");
  CHECK(made.temperature == "1.5");
  CHECK(made.top_p == "1");
  CHECK(made.top_k == "7");
  CHECK(made.max_tokens == 9);
  CHECK(made.stop == R"(["a","b"])");
  CHECK(read(R"({"stop":"END"})").stop == R"(["END"])");
}

TEST_CASE("null takes a configured parameter back", "[messages][request_parameters]") {
  auto made = read(R"({"temperature":0.2,"max_tokens":5,"x":1})",
                   R"({"temperature":null,"max_tokens":null,"x":null})");
  CHECK(made.temperature.empty());
  CHECK(made.max_tokens == 0);
  CHECK(made.take("x").empty());
}

TEST_CASE("a tool choice has a mode, and a tool where it names one",
          "[messages][request_parameters]") {
  using mode = tool_choice_mode;
  CHECK(read(R"({"tool_choice":"auto"})").tool_choice == mode::automatic);
  CHECK(read(R"({"tool_choice":"none"})").tool_choice == mode::none);
  CHECK(read(R"({"tool_choice":"required"})").tool_choice == mode::required);
  CHECK(read(R"({"tool_choice":"any"})").tool_choice == mode::required);
  for (auto json : {R"({"tool_choice":{"type":"function","function":{"name":"look"}}})",
                    R"({"tool_choice":{"type":"function","name":"look"}})",
                    R"({"tool_choice":{"type":"tool","name":"look"}})"}) {
    auto made = read(json);
    CHECK(made.tool_choice == mode::named);
    CHECK(made.tool_name == "look");
  }
}

TEST_CASE("a tool choice that demands a call is not asked again after results",
          "[messages][request_parameters]") {
  using mode = tool_choice_mode;
  CHECK(read(R"({"tool_choice":"required"})", {}, true).tool_choice == mode::unset);
  CHECK(read(R"({"tool_choice":"none"})", {}, true).tool_choice == mode::none);
}

TEST_CASE("the form of the answer has a schema or is any object",
          "[messages][request_parameters]") {
  auto made = read(R"({"response_format":{"type":"json_schema","json_schema":)"
                   R"({"name":"n","strict":true,"schema":{"type":"object"}}}})");
  CHECK(made.json_output);
  CHECK(made.response_schema == R"({"type":"object"})");
  CHECK(made.response_name == "n");
  CHECK(made.response_strict);
  CHECK(read(R"({"response_format":{"type":"json_object"}})").json_output);
  CHECK_FALSE(read(R"({"response_format":{"type":"text"}})").json_output);
}

TEST_CASE("what only one provider knows goes on as it came", "[messages][request_parameters]") {
  auto made = read(R"({"thinking":{"type":"adaptive"},"model":"x","messages":[],"b":2,"stream":1})",
                   R"({"b":3})");
  json_buffer out;
  made.append_others(out, {"thinking"});
  CHECK(std::string{view(out)} == R"(,"b":3)");
  CHECK(made.take("thinking") == R"({"type":"adaptive"})");
  CHECK(made.take("thinking").empty());
}

TEST_CASE("the configuration's options count where nothing else is said",
          "[messages][request_parameters]") {
  const std::vector<chat_message> history;
  model_config model;
  model.generation.max_output_tokens = 100;
  model.generation.reasoning_effort = "low";
  model.generation.reasoning_budget = 2048;
  model.generation.response_schema = R"({"type":"object"})";
  auto made = read_parameters({.model = model, .history = history});
  CHECK(made.max_tokens == 100);
  CHECK(made.reasoning_effort == "low");
  CHECK(made.reasoning_budget == 2048);
  CHECK(made.response_schema == R"({"type":"object"})");
  model.parameters = R"({"max_tokens":7,"reasoning_effort":"high"})";
  made = read_parameters({.model = model, .history = history});
  CHECK(made.max_tokens == 7);
  CHECK(made.reasoning_effort == "high");
}

} // namespace request_parameters_test

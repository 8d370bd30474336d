#include "messages/wire/provider/refused_parameter.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace refused_parameter_test {

using namespace troupe;

namespace {

struct row {
  std::string body;
  std::string name;
};

std::string said(const std::string& message, const std::string& more = "") {
  return R"({"error":{"message":")" + message + R"(","type":"invalid_request_error")" + more + "}}";
}

} // namespace

TEST_CASE("a parameter that a server does not take is named in many ways",
          "[messages][refused_parameter]") {
  const std::vector<row> rows{
      {said("Unsupported parameter: 'top_p' is not supported with this model.",
            R"(,"param":"top_p","code":"unsupported_parameter")"),
       "top_p"},
      {said("Unsupported value: 'temperature' does not support 0 with this model. Only the default "
            "(1) value is supported.",
            R"(,"param":"temperature","code":"unsupported_value")"),
       "temperature"},
      {said("Unrecognized request argument supplied: parallel_tool_calls"), "parallel_tool_calls"},
      {said("Unknown parameter: 'verbosity'."), "verbosity"},
      {said("unknown field `logit_bias`, expected one of `model`, `messages`"), "logit_bias"},
      {said("temperature: Extra inputs are not permitted"), "temperature"},
      {said("stop_sequences: Extra inputs are not permitted"), "stop"},
      {said("property 'stream_options' is unsupported parameter"), "stream_options"},
      {R"({"detail":[{"type":"extra_forbidden","loc":["body","top_k"],"msg":"no"}]})", "top_k"},
      {R"({"detail":[{"type":"missing","loc":["body","x"]},{"type":"extra_forbidden","loc":["body","seed"]}]})",
       "seed"},
      {R"({"message":"Unknown parameter: 'user'"})", "user"},
      {R"({"error":"Unrecognized request argument supplied: seed"})", "seed"},
  };
  for (const auto& each : rows) {
    CAPTURE(each.body);
    CHECK(refused_parameter(each.body) == each.name);
  }
}

TEST_CASE("a refusal of something else names no parameter", "[messages][refused_parameter]") {
  const std::vector<std::string> bodies{
      "",
      "null",
      "<html>400</html>",
      said("'temperature' must be at most 2", R"(,"param":"temperature","code":"invalid_value")"),
      said("Unsupported value: 'minimal' is not supported. Supported values are: 'low'.",
           R"(,"param":"reasoning_effort","code":"unsupported_value")"),
      said("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
           R"(,"param":"max_tokens","code":"unsupported_parameter")"),
      said("Unknown parameter: 'messages[1].reasoning_content'.",
           R"(,"param":"messages[1].reasoning_content","code":"unknown_parameter")"),
      said("Unknown parameter: 'tools[0].strict'.", R"(,"param":"tools[0].strict")"),
      said("Unsupported parameter: 'messages'"),
      R"({"detail":[{"type":"extra_forbidden","loc":["body","messages",0,"name"]}]})",
      R"({"detail":[{"type":"less_than_equal","loc":["body","top_p"]}]})",
  };
  for (const auto& each : bodies) {
    CAPTURE(each);
    CHECK(refused_parameter(each).empty());
  }
}

} // namespace refused_parameter_test

// The scripted model refuses what each provider refuses, and understands what it takes.
#include <string>
#include <string_view>
#include <utility>

#include "apps/model/anthropic/anthropic_dialect.hpp"
#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/dialect/seal.hpp"
#include "apps/model/gemini/gemini_dialect.hpp"
#include "apps/model/ollama/ollama_dialect.hpp"
#include "apps/model/responses/responses_dialect.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "tests/support/catch.hpp"

namespace scripted_dialect_rules_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

bool holds(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != text.npos;
}

/// Returns why the request is refused; "" if it is taken.
std::string why_refused(const dialect& spoken, std::string body) {
  request_reader reader;
  chat_call call;
  return reader.read(body, spoken, call).message;
}

conversation talk_of(const dialect& spoken, std::string body) {
  request_reader reader;
  chat_call call;
  const auto bad = reader.read(body, spoken, call);
  INFO(bad.message << " in " << body);
  REQUIRE_FALSE(bad);
  return reader.talk();
}

std::string sealed(std::string_view text) {
  return "\"" + seal_of(text) + "\"";
}

// One history in the words of each provider: a question, thoughts with a call, its result.

std::string anthropic_with(const std::string& answer, const std::string& result,
                           const std::string& more = "") {
  return R"({"model":"call","max_tokens":100,"messages":[{"role":"user","content":"hi"},)"
         R"({"role":"assistant","content":[)" +
         answer + R"(]},{"role":"user","content":[)" + result + R"(]}])" + more + "}";
}

const std::string thinking =
    R"({"type":"thinking","thinking":"hm","signature":)" + sealed("hm") + "}";
const std::string tool_use = R"({"type":"tool_use","id":"toolu_1","name":"echo","input":{}})";
const std::string tool_result = R"({"type":"tool_result","tool_use_id":"toolu_1","content":"x"})";

std::string responses_with(const std::string& items,
                           const std::string& more = R"(,"store":false)") {
  return R"({"model":"call","input":[{"role":"user","content":"hi"})" + items + "]" + more + "}";
}

const std::string reasoning_item =
    R"(,{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],)"
    R"("encrypted_content":)" +
    sealed("hm") + "}";
const std::string call_item =
    R"(,{"type":"function_call","call_id":"c1","name":"echo","arguments":"{}"})";
const std::string output_item = R"(,{"type":"function_call_output","call_id":"c1","output":"x"})";

std::string gemini_with(const std::string& call, const std::string& response,
                        const std::string& more = "") {
  return R"({"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[)" +
         call + R"(]},{"role":"user","parts":[)" + response + R"(]}])" + more + "}";
}

const std::string function_call =
    R"({"functionCall":{"name":"echo","args":{}},"thoughtSignature":)" + sealed("echo") + "}";
const std::string function_response =
    R"({"functionResponse":{"name":"echo","response":{"output":"x"}}})";

std::string ollama_with(const std::string& result, const std::string& more = "") {
  return R"({"model":"call","messages":[{"role":"user","content":"hi"},{"role":"assistant",)"
         R"("content":"","tool_calls":[{"function":{"name":"echo","arguments":{}}}]})" +
         result + "]" + more + "}";
}

const std::string named_result = R"(,{"role":"tool","tool_name":"echo","content":"x"})";

std::string text_of(const json_node& tree) {
  json_buffer out;
  append_json(out, tree);
  return std::string{view(out)};
}

/// Shows the tree with a value of each kind in the place of `at`, then of all that is in it.
template <class Visit>
void with_other_values(const json_node& root, json_node& at, const Visit& visit) {
  for (const auto* value : {"1", "\"x\"", "true", "null", "[]", "{}", "[1]", "[[]]", "[{}]"}) {
    auto other = *read_json_tree(value, 10);
    other.key = at.key;
    std::swap(at, other);
    visit(text_of(root));
    std::swap(at, other);
  }
  for (auto& each : at.children)
    with_other_values(root, each, visit);
}

} // namespace

TEST_CASE("a history with calls is understood in every dialect", "[apps][scripted_model]") {
  for (const auto& [spoken, body] :
       {std::pair{&anthropic_dialect, anthropic_with(thinking + "," + tool_use, tool_result)},
        std::pair{&responses_dialect, responses_with(reasoning_item + call_item + output_item)},
        std::pair{&gemini_dialect, gemini_with(function_call, function_response)},
        std::pair{&ollama_dialect, ollama_with(named_result)}}) {
    const auto talk = talk_of(*spoken, body);
    CHECK(talk.user_text == "hi");
    CHECK(talk.rounds == 1);
    CHECK(talk.sealed_rounds == (spoken == &ollama_dialect ? 0 : 1));
    REQUIRE(talk.results.size() == 1);
    CHECK(talk.results[0].tool == "echo");
    CHECK(talk.results[0].text == "x");
  }
}

TEST_CASE("a value of another kind is refused or understood, wherever it stands",
          "[apps][scripted_model]") {
  const std::string schema = R"({"type":"object","properties":{"a":{"type":"string"}}})";
  const std::string function = R"({"name":"echo","parameters":)" + schema + "}";
  const std::string functions = R"(,"tools":[{"type":"function","function":)" + function + "}]";
  for (const auto& [spoken, body] :
       {std::pair{&chat_dialect,
                  R"({"model":"call","messages":[{"role":"user","content":"hi"},{"role":)"
                  R"("assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":)"
                  R"("echo","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":)"
                  R"([{"type":"text","text":"x"}]}])" +
                      functions + "}"},
        std::pair{&anthropic_dialect,
                  anthropic_with(thinking + "," + tool_use, tool_result,
                                 R"(,"tools":[{"name":"echo","input_schema":)" + schema + "}]")},
        std::pair{&responses_dialect,
                  responses_with(reasoning_item + call_item + output_item,
                                 R"(,"store":false,"tools":[{"type":"function","name":"echo",)"
                                 R"("parameters":)" +
                                     schema + "}]")},
        std::pair{&gemini_dialect,
                  gemini_with(function_call, function_response,
                              R"(,"tools":[{"functionDeclarations":[)" + function + "]}]")},
        std::pair{&ollama_dialect, ollama_with(named_result, functions)}}) {
    CHECK(why_refused(*spoken, body) == "");
    auto tree = *read_json_tree(body, 1000);
    with_other_values(tree, tree, [&, spoken = spoken](std::string other) {
      INFO(other);
      request_reader reader;
      chat_call call;
      CHECK_NOTHROW(reader.read(other, *spoken, call) ? conversation{} : reader.talk());
    });
  }
}

TEST_CASE("Anthropic's rules are kept", "[apps][scripted_model]") {
  const auto why = [](const std::string& body) { return why_refused(anthropic_dialect, body); };
  CHECK(holds(why(anthropic_with(tool_use, R"({"type":"text","text":"x"})")), "tool_use"));
  CHECK(holds(why(anthropic_with(tool_use, R"({"type":"text","text":"x"},)" + tool_result)),
              "must come before all others"));
  CHECK(
      holds(why(anthropic_with(R"({"type":"thinking","thinking":"hm","signature":"x"},)" + tool_use,
                               tool_result)),
            "Invalid `signature`"));
  CHECK(holds(why(anthropic_with(tool_use, tool_result, R"(,"seed":1)")),
              "seed: Extra inputs are not permitted"));
  CHECK(holds(why(anthropic_with(R"({"type":"text","text":" "})", tool_result)), "non-whitespace"));
  CHECK(holds(why(R"({"model":"m","messages":[{"role":"user","content":"hi"}]})"),
              "max_tokens: Field required"));
  CHECK(holds(why(R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},)"
                  R"({"role":"user","content":"b"}]})"),
              "alternate"));
  const std::string paused = R"("max_tokens":9,"messages":[{"role":"user","content":"a"},)"
                             R"({"role":"assistant","content":"b"}]})";
  CHECK(holds(why(R"({"model":"text",)" + paused), "prefill"));
  CHECK(why(R"({"model":"pause",)" + paused).empty());
}

TEST_CASE("the rules of responses are kept", "[apps][scripted_model]") {
  const auto why = [](const std::string& body) { return why_refused(responses_dialect, body); };
  CHECK(holds(why(responses_with(call_item)), "No tool output found for function call c1"));
  CHECK(holds(why(responses_with(output_item)), "No tool call found"));
  CHECK(holds(why(responses_with(reasoning_item)), "without its required following item"));
  CHECK(holds(why(responses_with(R"(,{"type":"reasoning","summary":["hm"]})")), "summary_text"));
  CHECK(holds(why(responses_with(call_item + output_item, R"(,"max_tokens":5)")),
              "Unknown parameter: 'max_tokens'"));
  const std::string named = R"(,{"type":"item_reference","id":"fc_c1.echo"})";
  CHECK(holds(why(responses_with(named + output_item)), "not persisted"));
  CHECK(talk_of(responses_dialect, responses_with(named + output_item, "")).results[0].tool ==
        "echo");
}

TEST_CASE("Gemini's rules are kept", "[apps][scripted_model]") {
  const auto why = [](const std::string& body) { return why_refused(gemini_dialect, body); };
  CHECK(holds(why(gemini_with(function_call, R"({"text":"x"})")), "number of function response"));
  CHECK(holds(why(gemini_with(function_call + "," + function_call, function_response)),
              "number of function response"));
  CHECK(holds(why(gemini_with(R"({"functionCall":{"name":"echo"},"thoughtSignature":"AAAA"})",
                              function_response)),
              "signature is not valid"));
  CHECK(why(gemini_with(R"({"functionCall":{"name":"echo"},"thoughtSignature":)"
                        R"("skip_thought_signature_validator"})",
                        function_response))
            .empty());
  CHECK(holds(why(gemini_with(function_call, function_response, R"(,"temperature":1)")),
              R"(Unknown name "temperature")"));
  const auto declared = [&](const std::string& schema) {
    return why(gemini_with(function_call, function_response,
                           R"(,"tools":[{"functionDeclarations":[{"name":"f",)" + schema + "}]}]"));
  };
  CHECK(declared(R"("parameters":{"type":"object","properties":{"a":{"type":"string"}}})").empty());
  CHECK(holds(declared(R"("parameters":{"type":"object","additionalProperties":false})"),
              "additionalProperties"));
  CHECK(declared(R"("parametersJsonSchema":{"additionalProperties":false})").empty());
}

TEST_CASE("Ollama's rules are kept", "[apps][scripted_model]") {
  const auto why = [](const std::string& body) { return why_refused(ollama_dialect, body); };
  CHECK(holds(why(ollama_with("")), "no result"));
  CHECK(holds(why(ollama_with(R"(,{"role":"tool","tool_name":"other","content":"x"})")),
              "the call was of 'echo'"));
  CHECK(holds(why(ollama_with(named_result, R"(,"temperature":1)")), "would be ignored"));
  CHECK(holds(why(ollama_with(named_result, R"(,"options":{"stop":"x"})")), "type array"));
  CHECK(holds(why(R"({"model":"m","messages":[{"role":"user","content":[{"type":"text"}]}]})"),
              "cannot unmarshal"));
}

} // namespace scripted_dialect_rules_test

// The scripted model speaks as each provider does, and refuses what each provider refuses.
#include <string>
#include <string_view>

#include "apps/model/anthropic/anthropic_dialect.hpp"
#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/dialect/seal.hpp"
#include "apps/model/gemini/gemini_dialect.hpp"
#include "apps/model/model_addresses.hpp"
#include "apps/model/ollama/ollama_dialect.hpp"
#include "apps/model/responses/responses_dialect.hpp"
#include "apps/model/script/scripts.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace scripted_dialects_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

constexpr const dialect* all_dialects[] = {&chat_dialect, &anthropic_dialect, &responses_dialect,
                                           &gemini_dialect, &ollama_dialect};

answer full_answer() {
  answer what;
  what.reasoning = "hm so";
  what.text = "one two";
  what.finish = "tool_calls";
  what.calls = {{"call_000001", "echo", R"({"message":"a b"})"}, {"call_000002", "now", "{}"}};
  return what;
}

std::string frames_of(const dialect& spoken, const answer& what, bool as_list = false) {
  return all_frames(what, {"m", true, false, as_list}, spoken);
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

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

} // namespace

TEST_CASE("Anthropic's stream has blocks one after the other", "[apps][scripted_model]") {
  const auto text = frames_of(anthropic_dialect, full_answer());
  CHECK(text.starts_with("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{"));
  CHECK(count_of(text, "event: content_block_start") == 4);
  CHECK(count_of(text, "event: content_block_stop") == 4);
  CHECK(holds(text, R"("delta":{"type":"signature_delta","signature":)" + sealed("hm so")));
  CHECK(holds(text, R"("content_block":{"type":"tool_use","id":"toolu_000001","name":"echo",)"
                    R"("input":{}})"));
  CHECK(holds(text, R"("index":3,"delta":{"type":"input_json_delta","partial_json":"{}"})"));
  CHECK(holds(text, R"("delta":{"stop_reason":"tool_use","stop_sequence":null})"));
  CHECK(text.ends_with("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
}

TEST_CASE("the stream of responses has each item added and done", "[apps][scripted_model]") {
  const auto text = frames_of(responses_dialect, full_answer());
  CHECK(text.starts_with("event: response.created\ndata: {\"type\":\"response.created\","
                         "\"sequence_number\":0,"));
  CHECK(count_of(text, "event: response.output_item.added") == 4);
  CHECK(count_of(text, "event: response.output_item.done") == 4);
  CHECK(holds(text, R"("encrypted_content":)" + sealed("hm so")));
  CHECK(holds(text, "event: response.completed"));
  auto cut = full_answer();
  cut.calls.clear();
  cut.finish = "length";
  CHECK(holds(frames_of(responses_dialect, cut),
              R"("incomplete_details":{"reason":"max_output_tokens"})"));
}

TEST_CASE("Gemini's stream is events with CRLF, or one array", "[apps][scripted_model]") {
  const auto events = frames_of(gemini_dialect, full_answer());
  CHECK(count_of(events, "data: {") == count_of(events, "\r\n\r\n"));
  CHECK(count_of(events, "functionCall") == 2);
  CHECK(count_of(events, "thoughtSignature") == 1);
  CHECK(holds(events, R"("thoughtsTokenCount":2)"));
  const auto list = frames_of(gemini_dialect, full_answer(), true);
  CHECK(json_fault(list).empty());
  CHECK(list.starts_with("[{"));
}

TEST_CASE("Ollama's stream is lines, and its calls are whole", "[apps][scripted_model]") {
  const auto lines = frames_of(ollama_dialect, full_answer());
  CHECK(count_of(lines, "\n") == 7);
  CHECK(count_of(lines, R"("arguments":{)") == 2);
  CHECK(holds(lines, R"("done":true,"done_reason":"stop")"));
}

TEST_CASE("an answer in one piece is JSON in every dialect, whatever the script",
          "[apps][scripted_model]") {
  for (const auto* spoken : all_dialects) {
    CHECK(json_fault(spoken->whole(full_answer(), {"m"})).empty());
    CHECK(json_fault(spoken->whole({}, {"m"})).empty());
  }
}

TEST_CASE("an answer that fails in the stream has an error and no end", "[apps][scripted_model]") {
  auto what = full_answer();
  what.calls.clear();
  what.end = ending::failed;
  what.refused.kind = refusal_kind::overloaded;
  CHECK(holds(frames_of(anthropic_dialect, what), R"("error":{"type":"overloaded_error")"));
  CHECK_FALSE(holds(frames_of(anthropic_dialect, what), "message_stop"));
  CHECK(holds(frames_of(responses_dialect, what), "event: response.failed"));
  CHECK(holds(frames_of(gemini_dialect, what), R"("status":"UNAVAILABLE")"));
  CHECK(holds(frames_of(ollama_dialect, what), R"({"error":"server busy)"));
  CHECK(holds(frames_of(chat_dialect, what), R"("code":"server_is_overloaded")"));
  CHECK_FALSE(holds(frames_of(chat_dialect, what), "[DONE]"));
}

TEST_CASE("each provider says in its own way when to try again", "[apps][scripted_model]") {
  const refusal limited{refusal_kind::rate_limited};
  for (const auto* spoken : all_dialects) {
    CHECK(spoken->refuse(limited).status == 429);
    CHECK(json_fault(spoken->refuse(limited).body).empty());
  }
  CHECK(find_header(anthropic_dialect.refuse(limited).fields, "retry-after") == "1");
  CHECK_FALSE(
      find_header(anthropic_dialect.refuse(limited).fields, "anthropic-ratelimit-requests-reset")
          .empty());
  CHECK(find_header(responses_dialect.refuse(limited).fields, "x-ratelimit-reset-requests") ==
        "1s");
  CHECK(holds(gemini_dialect.refuse(limited).body, R"("retryDelay":"1s")"));
  CHECK(find_header(gemini_dialect.refuse(limited).fields, "retry-after").empty());
  CHECK(anthropic_dialect.refuse({refusal_kind::overloaded}).status == 529);
  CHECK(holds(responses_dialect.refuse({refusal_kind::no_quota}).body, "insufficient_quota"));
}

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

TEST_CASE("all providers answer on one port, each at its own address", "[apps][scripted_model]") {
  const auto asked = [](std::string method, std::string path, std::string query = "") {
    server_request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.query = std::move(query);
    return purpose_of(request, true);
  };
  CHECK(asked("POST", "/v1/messages").answer.spoken == &anthropic_dialect);
  CHECK(asked("POST", "/v1/responses").answer.spoken == &responses_dialect);
  CHECK(asked("POST", "/api/chat").answer.spoken == &ollama_dialect);
  const auto whole = asked("POST", "/v1beta/models/text:generateContent");
  CHECK(whole.what == purpose::answer);
  CHECK(whole.answer.model == "text");
  CHECK_FALSE(whole.answer.stream);
  const auto streamed = asked("POST", "/v1beta/models/a-b:streamGenerateContent", "alt=sse");
  CHECK(streamed.answer.model == "a-b");
  CHECK(streamed.answer.stream);
  CHECK_FALSE(streamed.answer.as_list);
  CHECK(asked("POST", "/v1beta/models/text:streamGenerateContent").answer.as_list);
  CHECK(asked("GET", "/v1/messages").what == purpose::wrong_method);
  CHECK(asked("POST", "/v1beta/models/text:other").what == purpose::unknown_path);
  CHECK(asked("POST", "/v1beta/models/text:other").answer.spoken == &gemini_dialect);
  for (auto path : {"/v1/models", "/v1/models/text", "/v1beta/models", "/v1beta/models/text",
                    "/api/tags", "/api/version", "/api/ps"}) {
    const auto list = asked("GET", path);
    CHECK(list.what == purpose::list);
    CHECK(json_fault(list.body).empty());
  }
  CHECK(asked("GET", "/v1/models/no-such-script").body.empty());
}

} // namespace scripted_dialects_test

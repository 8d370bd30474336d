// The scripted model answers as each provider does, streamed, whole and refused.
#include <string>
#include <string_view>

#include "apps/model/anthropic/anthropic_dialect.hpp"
#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/dialect/seal.hpp"
#include "apps/model/gemini/gemini_dialect.hpp"
#include "apps/model/model_addresses.hpp"
#include "apps/model/ollama/ollama_dialect.hpp"
#include "apps/model/responses/responses_dialect.hpp"
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

std::string sealed(std::string_view text) {
  return "\"" + seal_of(text) + "\"";
}

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

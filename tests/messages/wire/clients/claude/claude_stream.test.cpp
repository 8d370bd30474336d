#include "messages/wire/clients/claude/claude_stream.hpp"

#include <string>
#include <vector>

#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace claude_stream_test {

using namespace troupe;

namespace {

constexpr auto tags = "[claude][wire]";

tool_args_complete call_of(const std::string& id, bool client_side) {
  tool_args_complete made;
  made.tool_call_id = id;
  made.tool_name = "f";
  made.arguments = {R"({"a":1})"};
  made.client_side = client_side;
  return made;
}

session_end end_of(finish_reason why) {
  usage used;
  used.input_tokens = 100;
  used.cached_input_tokens = 60;
  used.cache_write_tokens = 30;
  used.output_tokens = 7;
  return {why, used, 0};
}

using events = std::vector<event>;

std::string streamed(const events& what) {
  claude_stream stream{{"msg_1", "m"}};
  json_buffer out;
  event_batch batch;
  batch.events = what;
  stream.encode(batch, out);
  return std::string{view(out)};
}

std::string whole(const events& what) {
  claude_collector collector{{"msg_1", "m"}};
  event_batch batch;
  batch.events = what;
  collector.take(batch);
  CHECK_FALSE(collector.error());
  return collector.body();
}

/// Returns the types of the events, checking that each says its type twice and has valid JSON.
std::string types_of(const std::string& sse) {
  std::string types;
  size_t at = 0;
  while (at < sse.size()) {
    const auto end = sse.find("\n\n", at);
    const auto line = sse.find('\n', at);
    REQUIRE(end != std::string::npos);
    const auto name = sse.substr(at + 7, line - at - 7);
    const json_source data{sse.substr(line + 7, end - line - 7)};
    CHECK(data.fault().empty());
    std::string_view type;
    read_members(data.root(), {{"type", &type}});
    CHECK(json_string(type) == name);
    types += (types.empty() ? "" : " ") + name;
    at = end + 2;
  }
  return types;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

const std::string head = R"({"id":"msg_1","type":"message","role":"assistant","model":"m",)";
const std::string counts = R"("usage":{"input_tokens":10,"cache_creation_input_tokens":30,)"
                           R"("cache_read_input_tokens":60,"output_tokens":7}})";

} // namespace

TEST_CASE("an answer to Anthropic's clients is a message with blocks", tags) {
  const events what{session_start{"x"},    model_response_waiting{0, "m"},
                    reasoning_delta{"hm"}, text_delta{"Hel"},
                    text_delta{"lo"},      end_of(finish_reason::stop)};
  const auto sse = streamed(what);
  CHECK(types_of(sse) ==
        "message_start content_block_start content_block_delta content_block_stop "
        "content_block_start content_block_delta content_block_delta content_block_stop "
        "message_delta message_stop");
  CHECK(says(sse, R"("index":0,"delta":{"type":"thinking_delta","thinking":"hm"})"));
  CHECK(says(sse, R"("index":1,"content_block":{"type":"text","text":""})"));
  CHECK(says(sse, R"("index":1,"delta":{"type":"text_delta","text":"Hel"})"));
  CHECK(says(sse, R"("delta":{"stop_reason":"end_turn","stop_sequence":null},)" + counts));
  CHECK(whole(what) ==
        head + R"("content":[{"type":"thinking","thinking":"hm","signature":""},)" +
            R"({"type":"text","text":"Hello"}],"stop_reason":"end_turn","stop_sequence":null,)" +
            counts);
}

TEST_CASE("calls for Anthropic's clients are blocks of their own; others are not shown", tags) {
  auto hidden = call_of("s1", false);
  auto broken = call_of("c0", true);
  broken.error = errc::tool_arguments_invalid;
  auto sealed = call_of("c2", true);
  sealed.provider_metadata = {"{\"g\":{\n\"s\":1}}"};
  const events what{text_delta{"I look."},
                    hidden,
                    model_response_waiting{1, "m"},
                    text_delta{"Now you."},
                    broken,
                    call_of("c1", true),
                    sealed,
                    end_of(finish_reason::tool_calls)};
  const auto sse = streamed(what);
  CHECK(types_of(sse) ==
        "message_start content_block_start content_block_delta content_block_delta "
        "content_block_delta content_block_stop content_block_start content_block_delta "
        "content_block_stop content_block_start content_block_delta content_block_stop "
        "message_delta message_stop");
  CHECK(says(sse, R"("index":1,"content_block":{"type":"tool_use","id":"c1","name":"f",)"
                  R"("input":{}}})"));
  CHECK(says(sse, R"("delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"})"));
  CHECK(says(sse, R"("stop_reason":"tool_use")"));
  CHECK(says(whole(what),
             R"("content":[{"type":"text","text":"I look.\n\nNow you."},)"
             R"({"type":"tool_use","id":"c1","name":"f","input":{"a":1}},)"
             R"({"type":"tool_use","id":"c2","name":"f","extra_content":{"g":{ "s":1}},)"
             R"("input":{"a":1}}],"stop_reason":"tool_use")"));
}

TEST_CASE("how a turn ended is said in Anthropic's words", tags) {
  auto reason = [](finish_reason why) {
    const events what{text_delta{"x"}, end_of(why)};
    const auto both = streamed(what) + whole(what);
    for (const auto* word : {"end_turn", "max_tokens", "refusal", "tool_use"})
      if (says(both, std::string{R"("stop_reason":")"} + word))
        return std::string{word};
    return both;
  };
  CHECK(reason(finish_reason::stop) == "end_turn");
  CHECK(reason(finish_reason::length) == "max_tokens");
  CHECK(reason(finish_reason::content_filter) == "refusal");
  CHECK(reason(finish_reason::tool_calls) == "max_tokens"); // no more calls may be run
  CHECK(reason(finish_reason::other) == "end_turn");
}

TEST_CASE("an empty answer is a message without blocks", tags) {
  const events what{end_of(finish_reason::stop)};
  CHECK(types_of(streamed(what)) == "message_start message_delta message_stop");
  CHECK(says(whole(what), R"("content":[],)"));
}

TEST_CASE("an error ends the stream of Anthropic's clients, and nothing follows", tags) {
  const auto sse = streamed({text_delta{"x"}, session_error{errc::model_overloaded, "busy", true}});
  CHECK(types_of(sse).ends_with("content_block_delta error"));
  CHECK(says(sse, R"({"type":"error","error":{"type":"overloaded_error","message":"busy",)"));
  const auto left = streamed({text_delta{"x"}, abort_event{"stop"}, end_of(finish_reason::other)});
  CHECK(types_of(left).ends_with("content_block_delta error"));
}

TEST_CASE("a failure has the type and the status that Anthropic's clients act on", tags) {
  struct row {
    errc code;
    uint16_t otherwise;
    uint16_t status;
    std::string type;
  };
  for (const auto& each :
       std::vector<row>{{errc::request_invalid, 400, 400, "invalid_request_error"},
                        {errc::unauthorized, 401, 401, "authentication_error"},
                        {errc::forbidden, 403, 403, "permission_error"},
                        {errc::model_unknown, 404, 404, "not_found_error"},
                        {errc::request_too_large, 413, 413, "request_too_large"},
                        {errc::rate_limited, 429, 429, "rate_limit_error"},
                        {errc::model_rate_limited, 500, 429, "rate_limit_error"},
                        {errc::model_quota_exhausted, 500, 402, "billing_error"},
                        {errc::model_overloaded, 500, 529, "overloaded_error"},
                        {errc::model_timeout, 500, 504, "timeout_error"},
                        {errc::model_refused, 500, 502, "api_error"},
                        {errc::internal, 500, 500, "api_error"}}) {
    INFO(to_string(each.code));
    CHECK(claude_status(each.code, each.otherwise) == each.status);
    CHECK(says(claude_error({each.code, "why"}, each.status, "{}"), R"(,"details":{}}})"));
    CHECK(says(claude_error({each.code, "why"}, each.status),
               R"({"type":"error","error":{"type":")" + each.type + R"(","message":"why")"));
  }
}

} // namespace claude_stream_test

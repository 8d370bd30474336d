#include "messages/wire/clients/responses/response_output.hpp"

#include <string>
#include <vector>

#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace response_output_test {

using namespace troupe;

namespace {

constexpr auto tags = "[responses][wire]";

using events = std::vector<event>;

response_head head() {
  response_head made;
  made.id = "resp_1";
  made.model = "m";
  made.created = 1700000000;
  made.echo = R"(,"tools":[])";
  made.special = {{"patch", "patch", "", true}, {"crm__look", "look", "crm"}};
  return made;
}

tool_args_complete call_of(const std::string& id, const std::string& name,
                           const std::string& arguments, bool client_side) {
  tool_args_complete made;
  made.tool_call_id = id;
  made.tool_name = name;
  made.arguments = {arguments};
  made.client_side = client_side;
  return made;
}

event ended(finish_reason why) {
  return session_end{why, {10, 5, 15, 2, 3}, 0};
}

std::string streamed(const events& what) {
  response_stream stream{head()};
  json_buffer out;
  for (const auto& each : what) {
    event_batch batch;
    batch.events = {each};
    stream.encode(batch, out);
  }
  return std::string{view(out)};
}

std::string whole(const events& what) {
  response_collector collector{head()};
  event_batch batch;
  batch.events = what;
  collector.take(batch);
  return collector.body();
}

/// Returns the types of the events without "response.", checking that each says its type twice,
/// that its data are JSON, and that the numbers rise by one.
std::string types_of(const std::string& sse) {
  std::string types;
  int64_t number = 0;
  for (size_t at = 0; at < sse.size();) {
    const auto line = sse.find('\n', at);
    const auto end = sse.find("\n\n", at);
    REQUIRE(end != std::string::npos);
    const auto name = sse.substr(at + 7, line - at - 7);
    const json_source data{sse.substr(line + 7, end - line - 7)};
    INFO(data.root());
    CHECK(data.fault().empty());
    std::string_view type, sequence;
    read_members(data.root(), {{"type", &type}, {"sequence_number", &sequence}});
    CHECK(json_string(type) == name);
    CHECK(integer_of(sequence) == number++);
    types += (types.empty() ? "" : " ") + (name.starts_with("response.") ? name.substr(9) : name);
    at = end + 2;
  }
  return types;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("texts and reasoning become items, piece by piece", tags) {
  const events what{session_start{"x"},    model_response_waiting{0, "m"},
                    reasoning_delta{"hm"}, text_delta{"Hel"},
                    text_delta{"lo"},      ended(finish_reason::stop)};
  const auto sse = streamed(what);
  CHECK(types_of(sse) ==
        "created in_progress "
        "output_item.added reasoning_summary_part.added reasoning_summary_text.delta "
        "reasoning_summary_text.done reasoning_summary_part.done output_item.done "
        "output_item.added content_part.added output_text.delta output_text.delta "
        "output_text.done content_part.done output_item.done completed");
  CHECK(says(sse, R"("output_index":1,"content_index":0,"logprobs":[],"delta":"Hel"})"));
  CHECK(says(sse, R"("summary_index":0,"delta":"hm"})"));
  const auto body = whole(what);
  CHECK(says(body, R"({"id":"resp_1","object":"response","created_at":1700000000,)"
                   R"("status":"completed",)"));
  CHECK(says(body, R"("status":"completed","summary":[{"type":"summary_text","text":"hm"}])"));
  CHECK(says(body, R"("content":[{"type":"output_text","annotations":[],"logprobs":[],)"
                   R"("text":"Hello"}])"));
  CHECK(says(body, R"("usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":3,)"
                   R"("cache_write_tokens":0},"output_tokens":5,)"
                   R"("output_tokens_details":{"reasoning_tokens":2},"total_tokens":15})"));
}

TEST_CASE("the last event of a stream holds the same output as a whole response", tags) {
  const events what{text_delta{"a"}, call_of("c1", "f", "{}", true),
                    ended(finish_reason::tool_calls)};
  auto without_ids = [](std::string text) {
    for (const auto* prefix : {"\"msg_", "\"fc_"})
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1))
        text.erase(at + 2, text.find('"', at + 1) - at - 2);
    return text;
  };
  const auto sse = streamed(what);
  const auto last = sse.substr(sse.rfind("\"response\":{") + 11);
  CHECK(without_ids(last.substr(0, last.size() - 3)) == without_ids(whole(what)));
}

TEST_CASE("calls for the client are items with their arguments, custom ones with a text", tags) {
  auto sealed = call_of("c1", "f", R"({"a":1})", true);
  sealed.provider_metadata = {R"({"g":{}})"};
  auto broken = call_of("c0", "f", R"("x")", true);
  broken.error = errc::tool_arguments_invalid;
  const events what{text_delta{"I look."}, broken, sealed,
                    call_of("c2", "patch", R"({"input":"*** \"x\""})", true),
                    ended(finish_reason::tool_calls)};
  const auto sse = streamed(what);
  CHECK(types_of(sse) ==
        "created in_progress output_item.added content_part.added output_text.delta "
        "output_text.done content_part.done output_item.done "
        "output_item.added function_call_arguments.delta function_call_arguments.done "
        "output_item.done "
        "output_item.added custom_tool_call_input.delta custom_tool_call_input.done "
        "output_item.done completed");
  CHECK(says(sse, R"("call_id":"c1","name":"f","arguments":"","extra_content":{"g":{}})"));
  CHECK(says(sse, R"("arguments":"{\"a\":1}","name":"f"})"));
  CHECK(says(sse, R"("input":"*** \"x\"")"));
  CHECK(says(whole(what), R"("status":"completed","call_id":"c2","name":"patch",)"
                          R"("input":"*** \"x\"")"));
}

TEST_CASE("a call of a namespace's tool has the client's names", tags) {
  const events what{call_of("c1", "crm__look", R"({"a":1})", true),
                    ended(finish_reason::tool_calls)};
  const std::string_view item =
      R"("call_id":"c1","name":"look","namespace":"crm","arguments":"{\"a\":1}")";
  CHECK(says(whole(what), std::string{item}));
  CHECK(says(streamed(what), std::string{item}));
}

TEST_CASE("calls that ran here are items with what came out, in whatever order they end", tags) {
  const events what{call_of("s1", "add", R"({"a":1})", false),
                    call_of("s2", "echo", "{}", false),
                    mcp_tool_start{"s1", "add", "demo"},
                    mcp_tool_start{"s2", "echo", "demo"},
                    mcp_tool_error{"s2", "echo", "demo", errc::tool_failed, "broken"},
                    mcp_tool_success{"s1", "add", "demo", {"{}"}, "42"},
                    model_response_waiting{1, "m"},
                    text_delta{"So."},
                    ended(finish_reason::stop)};
  const auto sse = streamed(what);
  CHECK(types_of(sse) == "created in_progress "
                         "output_item.added mcp_call.in_progress mcp_call_arguments.delta "
                         "output_item.added mcp_call.in_progress mcp_call_arguments.delta "
                         "mcp_call_arguments.done mcp_call.failed output_item.done "
                         "mcp_call_arguments.done mcp_call.completed output_item.done "
                         "output_item.added content_part.added output_text.delta output_text.done "
                         "content_part.done output_item.done completed");
  const auto body = whole(what);
  CHECK(says(body, R"({"type":"mcp_call","id":"s1","status":"completed","server_label":"demo",)"
                   R"("name":"add","arguments":"{\"a\":1}","approval_request_id":null,)"
                   R"("output":"42","error":null})"));
  CHECK(says(body, R"("id":"s2","status":"failed","server_label":"demo","name":"echo",)"
                   R"("arguments":"{}","approval_request_id":null,"output":null,)"
                   R"("error":"broken"})"));
}

TEST_CASE("a call that is refused before it runs has its item, too", tags) {
  const auto body =
      whole({call_of("s1", "add", "{}", false),
             mcp_tool_error{"s1", "add", "", errc::tool_denied, "no"}, ended(finish_reason::stop)});
  CHECK(says(body, R"("id":"s1","status":"failed")"));
  CHECK(says(body, R"("error":"no")"));
}

TEST_CASE("the texts of two rounds are two messages", tags) {
  const auto body = whole({text_delta{"I look."}, model_response_waiting{1, "m"},
                           text_delta{"It is so."}, ended(finish_reason::stop)});
  CHECK(says(body, R"("text":"I look.")"));
  CHECK(says(body, R"("text":"It is so.")"));
}

TEST_CASE("an answer that was cut is incomplete, and says why", tags) {
  auto last_of = [](finish_reason why) { return whole({text_delta{"x"}, ended(why)}); };
  CHECK(says(last_of(finish_reason::length),
             R"("status":"incomplete","background":false,"error":null,)"
             R"("incomplete_details":{"reason":"max_output_tokens"})"));
  CHECK(says(last_of(finish_reason::content_filter),
             R"("incomplete_details":{"reason":"content_filter"})"));
  CHECK(says(last_of(finish_reason::tool_calls), // no more calls may be run
             R"("incomplete_details":{"reason":"max_output_tokens"})"));
  CHECK(
      types_of(streamed({text_delta{"x"}, ended(finish_reason::length)})).ends_with("incomplete"));
}

TEST_CASE("a response that fails ends its stream with the error and the failed response", tags) {
  const auto sse =
      streamed({text_delta{"x"}, session_error{errc::model_rate_limited, "busy", true}});
  CHECK(types_of(sse).ends_with("output_text.delta error failed"));
  CHECK(says(sse, R"("code":"model_rate_limited","message":"busy","param":null})"));
  CHECK(says(sse, R"("status":"failed","background":false,)"
                  R"("error":{"code":"rate_limit_exceeded","message":"busy"})"));
  const auto left = streamed({text_delta{"x"}, abort_event{"stop"}, ended(finish_reason::other)});
  CHECK(types_of(left).ends_with("error failed"));
}

TEST_CASE("an empty answer is a response without output", tags) {
  const events what{ended(finish_reason::stop)};
  CHECK(types_of(streamed(what)) == "created in_progress completed");
  CHECK(whole(what).ends_with(R"("output":[]})"));
}

} // namespace response_output_test

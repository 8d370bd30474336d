#include "messages/wire/clients/native_stream.hpp"

#include <simdjson.h>

#include "tests/messages/wire/clients/turn_generator.hpp"
#include "tests/support/catch.hpp"

namespace native_stream_test {

using namespace troupe;

namespace {

event_batch batch_of(std::vector<event> events) {
  event_batch batch;
  batch.session_id = "chat \"1\"";
  batch.turn_id = "t1";
  batch.first_seq = 3;
  batch.time_us = 99;
  batch.events = std::move(events);
  return batch;
}

std::string json_of(event what) {
  json_buffer out;
  append_event_json(out, batch_of({std::move(what)}), 0);
  return std::string{view(out)};
}

const std::string common = R"("seq":3,"sessionId":"chat \"1\"","turnId":"t1","timeUs":99,)";

} // namespace

TEST_CASE("an event is its name, its place and its members", "[messages][native_stream]") {
  CHECK(json_of(text_delta{"a\nb"}) == R"({"type":"TEXT",)" + common + R"("text":"a\nb"})");
  CHECK(json_of(session_start{"m"}) ==
        R"({"type":"SESSION_START",)" + common + R"("messageId":"m"})");
  CHECK(json_of(session_error{errc::model_timeout, "late", true}) ==
        R"({"type":"SESSION_ERROR",)" + common +
            R"("error":"model_timeout","errorText":"late","retryable":true})");
  CHECK(json_of(session_end{finish_reason::tool_calls, usage{1, 2, 3, 4, 5}, 6}) ==
        R"({"type":"SESSION_END",)" + common +
            R"("finishReason":"tool-calls","usage":{"inputTokens":1,"outputTokens":2,)"
            R"("totalTokens":3,"reasoningTokens":4,"cachedInputTokens":5},"roundtrips":6})");
  CHECK(json_of(mcp_tool_success{"c", "t", "s", {"{\n\"a\": 1}"}, "x"}) ==
        R"({"type":"MCP_TOOL_SUCCESS",)" + common +
            R"("toolCallId":"c","toolName":"t","server":"s","result":{ "a": 1},"text":"x"})");
}

TEST_CASE("the label of a tool is there only where there is one", "[messages][native_stream]") {
  CHECK(json_of(tool_args_start{"c", "t", false}) ==
        R"({"type":"TOOL_ARGS_START",)" + common +
            R"("toolCallId":"c","toolName":"t","clientSide":false})");
  CHECK(json_of(tool_args_start{"c", "t", false, "имя"}) ==
        R"({"type":"TOOL_ARGS_START",)" + common +
            R"("toolCallId":"c","toolName":"t","clientSide":false,"title":"имя"})");
}

TEST_CASE("SSE frames carry name, number and JSON", "[messages][native_stream]") {
  json_buffer out;
  append_native_sse(out, batch_of({text_delta{"a"}, abort_event{"stop"}}));
  CHECK(view(out) == R"(event: TEXT
id: 3
data: {"type":"TEXT","seq":3,"sessionId":"chat \"1\"","turnId":"t1","timeUs":99,"text":"a"}

event: ABORT
id: 4
data: {"type":"ABORT","seq":4,"sessionId":"chat \"1\"","turnId":"t1","timeUs":99,"reason":"stop"}

)");
}

TEST_CASE("every event is one line of valid JSON that starts with its type",
          "[messages][native_stream]") {
  simdjson::dom::parser parser;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    auto batch = batch_of(test::turn_generator{seed}.legal_turn());
    for (size_t i = 0; i < batch.events.size(); ++i) {
      json_buffer out;
      append_event_json(out, batch, i);
      std::string json{view(out)};
      INFO(json);
      REQUIRE(json.find_first_of("\r\n") == std::string::npos);
      simdjson::dom::object members;
      REQUIRE(parser.parse(json).get(members) == simdjson::SUCCESS);
      REQUIRE((*members.begin()).key == "type");
      REQUIRE(members["type"].get_string().value() == name_of(batch.events[i]));
      REQUIRE(members["seq"].get_uint64().value() == batch.first_seq + i);
    }
  }
}

TEST_CASE("the native head is that of an event stream", "[messages][native_stream]") {
  CHECK(find_header(native_stream_head(), "content-type") == "text/event-stream");
  CHECK(find_header(native_stream_head(), "cache-control") == "no-cache");
}

} // namespace native_stream_test

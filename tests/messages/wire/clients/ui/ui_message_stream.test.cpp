#include "messages/wire/clients/ui/ui_message_stream.hpp"
#include "messages/chat/skipped_call_texts.hpp"

#include "tests/messages/wire/clients/ui/ui_stream_checker.hpp"
#include "tests/support/catch.hpp"

namespace ui_message_stream_test {

using namespace troupe;
using frames = std::vector<std::string>;

namespace {

std::string stream_of(const std::vector<event>& events) {
  ui_message_stream stream;
  json_buffer out;
  event_batch batch;
  batch.events = events;
  stream.encode(batch, out);
  return std::string{view(out)};
}

frames chunks_of(const std::vector<event>& events) {
  auto stream = stream_of(events);
  CHECK(test::ui_stream_fault(stream) == "");
  return test::ui_frames(stream);
}

const std::string start = R"({"type":"start","messageId":"m1"})";
const std::string start_step = R"({"type":"start-step"})";
const std::string finish_step = R"({"type":"finish-step"})";
const std::string over = "[DONE]";

std::string finish(const std::string& reason) {
  return R"({"type":"finish","finishReason":")" + reason +
         R"(","messageMetadata":{"usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3,)"
         R"("reasoningTokens":0,"cachedInputTokens":0},"model":"default"}})";
}

std::string failed(const std::string& error) {
  return R"({"type":"finish","finishReason":"error","messageMetadata":{"error":")" + error +
         R"(","retryable":true}})";
}

const session_start begin{"m1"};
const model_response_waiting waiting{0, "default"};

session_end end_of(finish_reason reason, uint32_t roundtrips = 0) {
  return {reason, usage{1, 2, 3, 0, 0}, roundtrips};
}

std::string input_start(const std::string& id, const std::string& name) {
  return R"({"type":"tool-input-start","toolCallId":")" + id + R"(","toolName":")" + name +
         R"(","dynamic":true})";
}

std::string input(const std::string& id, const std::string& name, const std::string& json) {
  return R"({"type":"tool-input-available","toolCallId":")" + id + R"(","toolName":")" + name +
         R"(","input":)" + json + R"(,"dynamic":true})";
}

std::string output(const std::string& id, const std::string& json) {
  return R"({"type":"tool-output-available","toolCallId":")" + id + R"(","output":)" + json +
         R"(,"dynamic":true})";
}

std::string output_error(const std::string& id, const std::string& text) {
  return R"({"type":"tool-output-error","toolCallId":")" + id + R"(","errorText":")" + text +
         R"(","dynamic":true})";
}

tool_args_complete complete(const std::string& id, const std::string& name,
                            const std::string& arguments) {
  return {id, name, {arguments}, false, errc::none, ""};
}

const std::string aborted_data = R"({"type":"data-abort","data":{"reason":"stop"}})";

} // namespace

TEST_CASE("a plain answer is one step with one text", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, text_delta{"Hel"}, text_delta{"lo \"you\"\n"},
                   model_generation_stop{}, end_of(finish_reason::stop)}) ==
        frames{start, start_step, R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"Hel"})",
               R"({"type":"text-delta","id":"1","delta":"lo \"you\"\n"})",
               R"({"type":"text-end","id":"1"})", finish_step, finish("stop"), over});
}

TEST_CASE("reasoning and text are parts of their own with new ids",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, reasoning_delta{"hm"}, text_delta{"a"}, reasoning_delta{"so"},
                   end_of(finish_reason::stop)}) ==
        frames{start, start_step, R"({"type":"reasoning-start","id":"1"})",
               R"({"type":"reasoning-delta","id":"1","delta":"hm"})",
               R"({"type":"reasoning-end","id":"1"})", R"({"type":"text-start","id":"2"})",
               R"({"type":"text-delta","id":"2","delta":"a"})", R"({"type":"text-end","id":"2"})",
               R"({"type":"reasoning-start","id":"3"})",
               R"({"type":"reasoning-delta","id":"3","delta":"so"})",
               R"({"type":"reasoning-end","id":"3"})", finish_step, finish("stop"), over});
}

TEST_CASE("chained tools give one step per model request", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin,
                   waiting,
                   text_delta{"ok"},
                   tool_args_start{"c1", "A"},
                   tool_args_delta{"c1", "{\"x\":"},
                   tool_args_delta{"c1", "1}"},
                   complete("c1", "A", "{\"x\":1}"),
                   mcp_tool_start{"c1", "A", "srv"},
                   mcp_tool_success{"c1", "A", "srv", {R"({"content":[]})"}, ""},
                   waiting,
                   tool_args_start{"c2", "A"},
                   complete("c2", "A", "{}"),
                   tool_args_start{"c3", "B"},
                   complete("c3", "B", "{}"),
                   mcp_tool_success{"c3", "B", "srv", {}, ""},
                   mcp_tool_success{"c2", "A", "srv", {"{}"}, ""},
                   waiting,
                   text_delta{"done"},
                   model_generation_stop{},
                   end_of(finish_reason::stop, 2)}) ==
        frames{start,
               start_step,
               R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"ok"})",
               R"({"type":"text-end","id":"1"})",
               input_start("c1", "A"),
               R"({"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"x\":"})",
               R"({"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"1}"})",
               input("c1", "A", "{\"x\":1}"),
               output("c1", R"({"content":[]})"),
               finish_step,
               start_step,
               input_start("c2", "A"),
               input("c2", "A", "{}"),
               input_start("c3", "B"),
               input("c3", "B", "{}"),
               output("c3", "null"),
               output("c2", "{}"),
               finish_step,
               start_step,
               R"({"type":"text-start","id":"2"})",
               R"({"type":"text-delta","id":"2","delta":"done"})",
               R"({"type":"text-end","id":"2"})",
               finish_step,
               finish("stop"),
               over});
}

TEST_CASE("a tool that fails gives its error to the client", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, complete("c1", "A", "{}"),
                   mcp_tool_error{"c1", "A", "srv", errc::tool_failed, "no \"luck\""}, waiting,
                   end_of(finish_reason::stop)}) ==
        frames{start, start_step, input("c1", "A", "{}"), output_error("c1", R"(no \"luck\")"),
               finish_step, start_step, finish_step, finish("stop"), over});
  CHECK(stream_of({begin, waiting, complete("c1", "A", "{}"),
                   mcp_tool_error{"c1", "A", "srv", errc::tool_timeout, ""}})
            .find(user_text(errc::tool_timeout)) != std::string::npos);
}

TEST_CASE("calls of the client are static tools and stay open", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, tool_args_start{"c1", "ask", true}, tool_args_delta{"c1", "{}"},
                   tool_args_complete{"c1", "ask", {"{}"}, true, errc::none, ""},
                   end_of(finish_reason::tool_calls)}) ==
        frames{start, start_step,
               R"({"type":"tool-input-start","toolCallId":"c1","toolName":"ask"})",
               R"({"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{}"})",
               R"({"type":"tool-input-available","toolCallId":"c1","toolName":"ask","input":{}})",
               finish_step, finish("tool-calls"), over});
}

TEST_CASE("a step of server and client calls ends for the client to go on",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, complete("c1", "A", "{}"),
                   tool_args_complete{"c2", "ask", {"{}"}, true, errc::none, ""},
                   mcp_tool_success{"c1", "A", "srv", {"{}"}, ""},
                   end_of(finish_reason::tool_calls)}) ==
        frames{start, start_step, input("c1", "A", "{}"),
               R"({"type":"tool-input-available","toolCallId":"c2","toolName":"ask","input":{}})",
               output("c1", "{}"), finish_step, finish("tool-calls"), over});
}

TEST_CASE("a turn that ends on finished tools gets one more step, so that it is not sent again",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, complete("c1", "A", "{}"),
                   mcp_tool_success{"c1", "A", "srv", {"{}"}, ""},
                   end_of(finish_reason::tool_calls, 3)}) ==
        frames{start, start_step, input("c1", "A", "{}"), output("c1", "{}"), finish_step,
               start_step,
               R"({"type":"data-limit","data":{"finishReason":"tool-calls","roundtrips":3}})",
               finish_step, finish("tool-calls"), over});
}

TEST_CASE("bad arguments and unknown tools are input errors without a second output",
          "[messages][ui_message_stream]") {
  tool_args_complete bad{"c1", "A", {R"("{oops")"}, false, errc::tool_arguments_invalid, "bad"};
  CHECK(chunks_of({begin, waiting, tool_args_start{"c1", "A"}, bad, mcp_tool_start{"c1", "A", ""},
                   mcp_tool_error{"c1", "A", "", errc::tool_arguments_invalid, "bad"}, waiting,
                   text_delta{"x"}, end_of(finish_reason::stop)}) ==
        frames{start, start_step, input_start("c1", "A"),
               R"({"type":"tool-input-error","toolCallId":"c1","toolName":"A","input":"{oops",)"
               R"("errorText":"bad","dynamic":true})",
               finish_step, start_step, R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"x"})", R"({"type":"text-end","id":"1"})",
               finish_step, finish("stop"), over});
}

TEST_CASE("progress is transient data without what is not known", "[messages][ui_message_stream]") {
  auto chunks = chunks_of(
      {begin, waiting, complete("c1", "A", "{}"), mcp_tool_progress{"c1", 1, 0, ""},
       mcp_tool_progress{"c1", 2.5, 4, "half"}, mcp_tool_success{"c1", "A", "srv", {"{}"}, ""},
       waiting, end_of(finish_reason::stop)});
  REQUIRE(chunks.size() > 5);
  CHECK(chunks[3] == R"({"type":"data-mcp-progress","data":{"toolCallId":"c1","progress":1},)"
                     R"("transient":true})");
  CHECK(chunks[4] == R"({"type":"data-mcp-progress","data":{"toolCallId":"c1","progress":2.5,)"
                     R"("total":4,"message":"half"},"transient":true})");
}

TEST_CASE("an error before the first byte has a step of its own", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, session_error{errc::model_unreachable, "no way", true}}) ==
        frames{start, start_step, R"({"type":"error","errorText":"no way"})", finish_step,
               failed("model_unreachable"), over});
  CHECK(chunks_of({begin, session_error{errc::model_unreachable, "", true}}) ==
        frames{start, start_step, R"({"type":"error","errorText":"The model cannot be reached."})",
               finish_step, failed("model_unreachable"), over});
}

TEST_CASE("an error closes the open text and the open calls first",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, tool_args_start{"c1", "A"}, text_delta{"x"},
                   session_error{errc::model_stream_cut, "cut", true}}) ==
        frames{start, start_step, input_start("c1", "A"), R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"x"})", R"({"type":"text-end","id":"1"})",
               output_error("c1", "cut"), R"({"type":"error","errorText":"cut"})", finish_step,
               failed("model_stream_cut"), over});
}

TEST_CASE("an abort closes the open text", "[messages][ui_message_stream]") {
  CHECK(chunks_of(
            {begin, waiting, text_delta{"x"}, abort_event{"stop"}, end_of(finish_reason::other)}) ==
        frames{start, start_step, R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"x"})", R"({"type":"text-end","id":"1"})",
               finish_step, R"({"type":"abort"})", over});
}

TEST_CASE("an abort ends running tools, and leaves nothing that the client would send again",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, complete("c1", "A", "{}"), mcp_tool_start{"c1", "A", "srv"},
                   abort_event{"stop"}, mcp_tool_success{"c1", "A", "srv", {"{}"}, ""},
                   end_of(finish_reason::other)}) ==
        frames{start, start_step, input("c1", "A", "{}"),
               output_error("c1", std::string{aborted_call_text}), finish_step, start_step,
               aborted_data, finish_step, R"({"type":"abort"})", over});
}

TEST_CASE("an abort before the first byte still has start and end",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, abort_event{"stop"}, end_of(finish_reason::other)}) ==
        frames{start, R"({"type":"abort"})", over});
}

TEST_CASE("a call that was never run is closed when the turn ends",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, complete("c1", "A", "{}"), end_of(finish_reason::length)}) ==
        frames{start, start_step, input("c1", "A", "{}"),
               output_error("c1", "The tool was not run."), finish_step, start_step,
               R"({"type":"data-limit","data":{"finishReason":"length","roundtrips":0}})",
               finish_step, finish("length"), over});
}

TEST_CASE("an answer without anything is an empty step", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, end_of(finish_reason::stop)}) ==
        frames{start, start_step, finish_step, finish("stop"), over});
}

TEST_CASE("a start without a message id leaves the key out", "[messages][ui_message_stream]") {
  auto chunks = chunks_of({session_start{}, waiting, end_of(finish_reason::stop)});
  CHECK(chunks.front() == R"({"type":"start"})");
}

TEST_CASE("JSON that is spread over lines stays within its frame",
          "[messages][ui_message_stream]") {
  auto chunks = chunks_of({begin, waiting, complete("c1", "A", "{\r\n\"x\": 1\n}"),
                           mcp_tool_success{"c1", "A", "srv", {"{\n\"y\": \"\\n\"}"}, ""}, waiting,
                           end_of(finish_reason::stop)});
  CHECK(chunks[2] == input("c1", "A", "{  \"x\": 1 }"));
  CHECK(chunks[3] == output("c1", "{ \"y\": \"\\n\"}"));
}

} // namespace ui_message_stream_test

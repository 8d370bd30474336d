#include <set>

#include "messages/wire/clients/ui/ui_message_stream.hpp"
#include "tests/messages/wire/clients/ui/ui_stream_checker.hpp"
#include "tests/support/catch.hpp"

namespace ui_message_profiles_test {

using namespace troupe;
using frames = std::vector<std::string>;

namespace {

frames chunks_of(const std::vector<event>& events, ui_profile profile,
                 const std::set<std::string>& continued = {}) {
  ui_message_stream stream{profile};
  json_buffer out;
  event_batch batch;
  batch.events = events;
  stream.encode(batch, out);
  CHECK(test::ui_stream_fault(view(out), profile, continued) == "");
  return test::ui_frames(view(out));
}

const std::string start = R"({"type":"start","messageId":"m1"})";
const std::string start_step = R"({"type":"start-step"})";
const std::string finish_step = R"({"type":"finish-step"})";
const std::string over = "[DONE]";
const std::string input =
    R"({"type":"tool-input-available","toolCallId":"c1","toolName":"A","input":{},"dynamic":true})";
const std::string usage_json = R"({"inputTokens":1,"outputTokens":2,"totalTokens":3,)"
                               R"("reasoningTokens":0,"cachedInputTokens":0})";

const session_start begin{"m1"};
const model_response_waiting waiting{0, "fast"};

session_end end_of(finish_reason reason) {
  return {reason, usage{1, 2, 3, 0, 0}, 0};
}

std::string finish(const std::string& reason) {
  return R"({"type":"finish","finishReason":")" + reason + R"(","messageMetadata":{"usage":)" +
         usage_json + R"(,"model":"fast"}})";
}

tool_args_complete complete(const std::string& id) {
  return {id, "A", {"{}"}, false, errc::none, ""};
}

const tool_approval_request asked{"appr_1", "c1", "A", {"{}"}, 1000};
const mcp_tool_error denied{"c1", "A", "srv", errc::tool_denied, "not allowed"};
const mcp_tool_success done{"c1", "A", "srv", {"{}"}, ""};
const std::string output =
    R"({"type":"tool-output-available","toolCallId":"c1","output":{},"dynamic":true})";
const std::string ask_chunk =
    R"({"type":"tool-approval-request","approvalId":"appr_1","toolCallId":"c1"})";

} // namespace

TEST_CASE("profiles are known by their names", "[messages][ui_message_stream]") {
  CHECK(ui_profile_of("v5-min") == ui_profile::v5_min);
  CHECK(ui_profile_of("v6") == ui_profile::v6);
  CHECK(ui_profile_of("v7") == ui_profile::v7);
  for (auto name : {"", "v5", "V6", "v8", "v5_min"})
    CHECK_FALSE(ui_profile_of(name));
}

TEST_CASE("in v5-min the finish reason is metadata", "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, end_of(finish_reason::length)}, ui_profile::v5_min) ==
        frames{start, start_step, finish_step,
               R"({"type":"finish","messageMetadata":{"usage":)" + usage_json +
                   R"(,"model":"fast","finishReason":"length"}})",
               over});
  CHECK(chunks_of({begin, waiting, session_error{errc::model_failed, "no", true}},
                  ui_profile::v5_min) ==
        frames{start, start_step, R"({"type":"error","errorText":"no"})", finish_step,
               R"({"type":"finish","messageMetadata":{"error":"model_failed","retryable":true}})",
               over});
}

TEST_CASE("in v5-min a call that cannot be run is one that failed",
          "[messages][ui_message_stream]") {
  tool_args_complete bad{"c1", "A", {R"("{oops")"}, false, errc::tool_arguments_invalid, "bad"};
  auto chunks = chunks_of({begin, waiting, bad, mcp_tool_start{"c1", "A", ""},
                           mcp_tool_error{"c1", "A", "", errc::tool_arguments_invalid, "bad"},
                           waiting, end_of(finish_reason::stop)},
                          ui_profile::v5_min);
  REQUIRE(chunks.size() > 5);
  CHECK(chunks[2] == R"({"type":"tool-input-available","toolCallId":"c1","toolName":"A",)"
                     R"("input":"{oops","dynamic":true})");
  CHECK(chunks[3] ==
        R"({"type":"tool-output-error","toolCallId":"c1","errorText":"bad","dynamic":true})");
  CHECK(chunks[4] == finish_step);
}

TEST_CASE("only v7 tells the reason of an abort", "[messages][ui_message_stream]") {
  auto last_of = [](ui_profile profile) {
    auto all =
        chunks_of({begin, waiting, abort_event{"stop"}, end_of(finish_reason::other)}, profile);
    return all.at(all.size() - 2);
  };
  CHECK(last_of(ui_profile::v5_min) == R"({"type":"abort"})");
  CHECK(last_of(ui_profile::v6) == R"({"type":"abort"})");
  CHECK(last_of(ui_profile::v7) == R"({"type":"abort","reason":"stop"})");
}

TEST_CASE("a turn that waits for an approval ends with the call open",
          "[messages][ui_message_stream]") {
  for (auto profile : {ui_profile::v6, ui_profile::v7})
    CHECK(chunks_of({begin, waiting, complete("c1"), asked, end_of(finish_reason::tool_calls)},
                    profile) ==
          frames{start, start_step, input, ask_chunk, finish_step, finish("tool-calls"), over});
  auto old = chunks_of({begin, waiting, complete("c1"), asked, end_of(finish_reason::tool_calls)},
                       ui_profile::v5_min);
  REQUIRE(old.size() == 7);
  CHECK(old[3] == R"({"type":"data-tool-approval-request","data":{"toolName":"A",)"
                  R"("approvalId":"appr_1","toolCallId":"c1"}})");
}

TEST_CASE("an approval that is not for a call of the step is not asked for",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, asked, complete("c1"), asked, asked, done, asked, waiting,
                   end_of(finish_reason::stop)},
                  ui_profile::v6) == frames{start, start_step, input, ask_chunk, output,
                                            finish_step, start_step, finish_step, finish("stop"),
                                            over});
}

TEST_CASE("a denied call says so to clients that know it", "[messages][ui_message_stream]") {
  std::vector<event> turn{
      begin, waiting, complete("c1"), asked, denied, waiting, end_of(finish_reason::stop)};
  CHECK(chunks_of(turn, ui_profile::v6).at(4) ==
        R"({"type":"tool-output-denied","toolCallId":"c1"})");
  CHECK(chunks_of(turn, ui_profile::v5_min).at(4) ==
        R"({"type":"tool-output-error","toolCallId":"c1","errorText":"not allowed",)"
        R"("dynamic":true})");
}

TEST_CASE("a turn that continues a message gives outputs to its calls first, in their own step",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, mcp_tool_start{"c1", "A", "srv"}, done, waiting, text_delta{"x"},
                   end_of(finish_reason::stop)},
                  ui_profile::v6, {"c1"}) ==
        frames{start, output, start_step, R"({"type":"text-start","id":"1"})",
               R"({"type":"text-delta","id":"1","delta":"x"})", R"({"type":"text-end","id":"1"})",
               finish_step, finish("stop"), over});
  CHECK(chunks_of({begin, denied, waiting, end_of(finish_reason::stop)}, ui_profile::v6, {"c1"})
            .at(1) == R"({"type":"tool-output-denied","toolCallId":"c1"})");
}

TEST_CASE("an output of an unknown call is dropped once the model was asked",
          "[messages][ui_message_stream]") {
  CHECK(chunks_of({begin, waiting, mcp_tool_start{"c1", "A", "srv"}, done, denied,
                   end_of(finish_reason::stop)},
                  ui_profile::v6) == frames{start, start_step, finish_step, finish("stop"), over});
}

TEST_CASE("a call's metadata of the provider goes to the client", "[messages][ui_message_stream]") {
  auto call = complete("c1");
  call.provider_metadata.text = R"({"google":{"thought_signature":"x"}})";
  for (auto profile : {ui_profile::v5_min, ui_profile::v6, ui_profile::v7})
    CHECK(chunks_of({begin, waiting, call, done, waiting, end_of(finish_reason::stop)}, profile)
              .at(2) == R"({"type":"tool-input-available","toolCallId":"c1","toolName":"A",)"
                        R"("input":{},"providerMetadata":{"google":{"thought_signature":"x"}},)"
                        R"("dynamic":true})");
}

TEST_CASE("the head says that it is a UI message stream", "[messages][ui_message_stream]") {
  CHECK(find_header(ui_message_stream::head(), "content-type") == "text/event-stream");
  CHECK(find_header(ui_message_stream::head(), "x-vercel-ai-ui-message-stream") == "v1");
  CHECK(find_header(ui_message_stream::head(), "cache-control") == "no-cache");
  CHECK(find_header(ui_message_stream::head(), "x-accel-buffering") == "no");
}

TEST_CASE("nothing follows the terminal event", "[messages][ui_message_stream]") {
  ui_message_stream stream;
  json_buffer out;
  event_batch batch;
  batch.events = {begin, waiting, end_of(finish_reason::stop)};
  CHECK_FALSE(stream.done());
  stream.encode(batch, out);
  CHECK(stream.done());
  auto size = out.size();
  stream.encode(batch, out);
  CHECK(out.size() == size);
}

TEST_CASE("the label of a tool is the title of its call, in profiles that know it",
          "[messages][ui_message_stream]") {
  tool_args_complete whole{"c1", "_a1", {"{}"}, false, errc::none, "", {}, "имя"};
  auto wrong = whole;
  wrong.tool_call_id = "c2";
  wrong.error = errc::tool_arguments_invalid;
  const std::vector<event> turn{begin, waiting, tool_args_start{"c1", "_a1", false, "имя"},
                                whole, wrong,   end_of(finish_reason::stop)};
  auto chunks = chunks_of(turn, ui_profile::v6);
  CHECK(chunks.at(2) == R"({"type":"tool-input-start","toolCallId":"c1","toolName":"_a1",)"
                        R"("title":"имя","dynamic":true})");
  CHECK(chunks.at(3) == R"({"type":"tool-input-available","toolCallId":"c1","toolName":"_a1",)"
                        R"("input":{},"title":"имя","dynamic":true})");
  CHECK(chunks.at(4).find(R"("title":"имя")") != std::string::npos);
  for (const auto& each : chunks_of(turn, ui_profile::v5_min))
    CHECK(each.find("title") == std::string::npos);
}

} // namespace ui_message_profiles_test

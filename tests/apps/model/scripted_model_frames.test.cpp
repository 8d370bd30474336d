#include <string>
#include <string_view>
#include <vector>

#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/script/scripts.hpp"
#include "tests/support/catch.hpp"

namespace scripted_model_frames_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

/// The data of each frame, from its choices on.
std::vector<std::string> frames_of(const answer& what, bool usage = false) {
  const auto bytes = all_frames(what, {"m", true, usage}, chat_dialect);
  std::vector<std::string> out;
  for (size_t at = 0; at < bytes.size();) {
    const auto end = bytes.find("\n\n", at);
    REQUIRE(end != std::string::npos);
    auto frame = bytes.substr(at, end - at);
    REQUIRE(frame.starts_with("data: "));
    const auto choices = frame.find("\"choices\"");
    out.push_back(choices == std::string::npos ? frame.substr(6) : frame.substr(choices));
    at = end + 2;
  }
  return out;
}

std::string delta(std::string_view inner) {
  return R"("choices":[{"index":0,"delta":{)" + std::string{inner} +
         R"(},"logprobs":null,"finish_reason":null}]})";
}

std::string finish(std::string_view why) {
  return R"("choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":")" +
         std::string{why} + R"("}]})";
}

const std::string text_role = delta(R"("role":"assistant","content":"","refusal":null)");

} // namespace

TEST_CASE("a text is streamed as role, tokens, finish and [DONE]", "[apps][scripted_model]") {
  answer what;
  what.text = "one \"two\"";
  CHECK(frames_of(what) == std::vector<std::string>{text_role, delta(R"("content":"one")"),
                                                    delta(R"("content":" \"two\"")"),
                                                    finish("stop"), "[DONE]"});
}

TEST_CASE("usage comes in a frame of its own, and only when it is asked for",
          "[apps][scripted_model]") {
  answer what;
  what.text = "one two";
  what.reasoning = "hm";
  const auto frames = frames_of(what, true);
  REQUIRE(frames.size() == 7);
  CHECK(frames[5].starts_with(
      R"("choices":[],"usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":13,)"));
  CHECK(frames[5].find(R"("reasoning_tokens":1)") != std::string::npos);
  CHECK(frames[6] == "[DONE]");
  CHECK(frames_of(what).size() == 6);
}

TEST_CASE("calls are streamed with id and name first and the arguments in pieces",
          "[apps][scripted_model]") {
  answer what;
  what.finish = "tool_calls";
  what.calls = {{"c1", "echo", R"({"message":"a b"})"}, {"c2", "now", ""}};
  CHECK(frames_of(what) ==
        std::vector<std::string>{
            delta(R"("role":"assistant","content":null,"refusal":null)"),
            delta(R"("tool_calls":[{"index":0,"id":"c1","type":"function",)"
                  R"("function":{"name":"echo","arguments":""}}])"),
            delta(R"("tool_calls":[{"index":0,"function":{"arguments":"{\"message\":\"a"}}])"),
            delta(R"("tool_calls":[{"index":0,"function":{"arguments":" b\"}"}}])"),
            delta(R"("tool_calls":[{"index":1,"id":"c2","type":"function",)"
                  R"("function":{"name":"now","arguments":""}}])"),
            finish("tool_calls"), "[DONE]"});
}

TEST_CASE("an answer that breaks off has no finish and no [DONE]", "[apps][scripted_model]") {
  answer what;
  what.text = "one two three";
  what.tokens = 2;
  for (auto end : {ending::cut, ending::cut_clean, ending::stall}) {
    what.end = end;
    CHECK(frames_of(what).size() == 3);
  }
  what.end = ending::silent;
  CHECK(frames_of(what).empty());
}

TEST_CASE("a text repeats up to the number of tokens", "[apps][scripted_model]") {
  answer what;
  what.text = "one two";
  what.tokens = 3;
  const auto frames = frames_of(what);
  REQUIRE(frames.size() == 6);
  CHECK(frames[3] == delta(R"("content":" one")"));
  CHECK(completion_body(what, {"m", false, false}).find(R"("content":"one two one")") !=
        std::string::npos);
}

TEST_CASE("the plain answer holds what the stream holds", "[apps][scripted_model]") {
  answer what;
  what.text = "hi";
  what.reasoning = "hm";
  what.finish = "tool_calls";
  what.calls = {{"c1", "echo", R"({"message":"x"})"}};
  CHECK(completion_body(what, {"m", false, false}) ==
        R"({"id":"chatcmpl-troupe","object":"chat.completion","created":1735689600,"model":"m",)"
        R"("system_fingerprint":"fp_troupe","choices":[{"index":0,"message":{"role":"assistant",)"
        R"("content":"hi","refusal":null,"reasoning_content":"hm","tool_calls":[{"id":"c1",)"
        R"("type":"function","function":{"name":"echo","arguments":"{\"message\":\"x\"}"}}]},)"
        R"("logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":10,)"
        R"("completion_tokens":3,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":0},)"
        R"("completion_tokens_details":{"reasoning_tokens":1}}})");
}

} // namespace scripted_model_frames_test

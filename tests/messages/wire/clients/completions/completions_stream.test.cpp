#include "messages/wire/clients/completions/completions_stream.hpp"

#include <string>
#include <vector>

#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace completions_stream_test {

using namespace troupe;

namespace {

constexpr auto tags = "[completions][wire]";

const completion_identity identity{"chatcmpl-1", "m", 1700000000};

event_batch batch(std::vector<event> events) {
  return {"s", "t", 1, 0, std::move(events)};
}

/// Returns the data of each frame.
std::vector<std::string> frames_of(std::vector<event> events, bool include_usage = false) {
  completions_stream stream{identity, include_usage};
  json_buffer out;
  for (auto& each : events) // cut anywhere, the bytes are the same
    stream.encode(batch({std::move(each)}), out);
  std::vector<std::string> frames;
  std::string_view rest = view(out);
  while (!rest.empty()) {
    auto end = rest.find("\n\n");
    REQUIRE(end != std::string_view::npos);
    REQUIRE(rest.substr(0, 6) == "data: ");
    frames.emplace_back(rest.substr(6, end - 6));
    rest.remove_prefix(end + 2);
  }
  for (size_t i = 0; i + 1 < frames.size(); ++i)
    CHECK(is_json_object(frames[i]));
  return frames;
}

std::string chunk(const std::string& delta, const std::string& reason = "null") {
  return R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",)"
         R"("choices":[{"index":0,"delta":{)" +
         delta + R"(},"logprobs":null,"finish_reason":)" + reason + "}]}";
}

event complete(std::string id, std::string name, std::string arguments, bool client_side) {
  return tool_args_complete{std::move(id), std::move(name), {std::move(arguments)},
                            client_side,   errc::none,      ""};
}

const usage used{10, 5, 15, 2, 3};

std::vector<event> ended(std::vector<event> events, finish_reason why) {
  events.emplace_back(model_generation_stop{why, used});
  events.emplace_back(session_end{why, used, 0});
  return events;
}

std::string whole(const std::vector<event>& events) {
  completion_collector collector{identity};
  collector.take(batch(events));
  CHECK_FALSE(collector.error());
  return collector.body();
}

} // namespace

TEST_CASE("text becomes chunks, the role with the first one, then the reason and [DONE]", tags) {
  auto got = frames_of(ended({session_start{"m1"}, model_response_waiting{0, "m"},
                              reasoning_delta{"hm"}, text_delta{"a\n"}, text_delta{"b"}},
                             finish_reason::stop));
  CHECK(got == std::vector<std::string>{chunk(R"("role":"assistant","reasoning_content":"hm")"),
                                        chunk(R"("content":"a\n")"), chunk(R"("content":"b")"),
                                        chunk("", R"("stop")"), "[DONE]"});
}

TEST_CASE("what the model wrote in two rounds has a blank line between it", tags) {
  auto events = ended({model_response_waiting{0, "m"}, complete("c1", "f", "{}", false),
                       model_response_waiting{1, "m"}, reasoning_delta{"hm"}, text_delta{"I look."},
                       complete("c2", "f", "{}", false), model_response_waiting{2, "m"},
                       text_delta{"It is"}, text_delta{" so."}},
                      finish_reason::stop);
  CHECK(frames_of(events) ==
        std::vector<std::string>{chunk(R"("role":"assistant","reasoning_content":"hm")"),
                                 chunk(R"("content":"I look.")"), chunk(R"("content":"\n\n")"),
                                 chunk(R"("content":"It is")"), chunk(R"("content":" so.")"),
                                 chunk("", R"("stop")"), "[DONE]"});
  CHECK(whole(events).find(R"("content":"I look.\n\nIt is so.","refusal":null,)"
                           R"("reasoning_content":"hm")") != std::string::npos);
}

TEST_CASE("calls of the client become tool_calls, those of servers are not shown", tags) {
  auto got = frames_of(ended(
      {tool_args_start{"c1", "mine", true}, tool_args_start{"c2", "theirs", false},
       tool_args_delta{"c1", "{\"a\":"}, tool_args_delta{"c2", "{}"}, tool_args_delta{"c1", "1}"},
       complete("c1", "mine", "{\"a\":1}", true), complete("c2", "theirs", "{}", false)},
      finish_reason::tool_calls));
  CHECK(got == std::vector<std::string>{
                   chunk(R"("role":"assistant","tool_calls":[{"index":0,"id":"c1","type":)"
                         R"("function","function":{"name":"mine","arguments":"{\"a\":"}}])"),
                   chunk(R"("tool_calls":[{"index":0,"function":{"arguments":"1}"}}])"),
                   chunk("", R"("tool_calls")"), "[DONE]"});
}

TEST_CASE("an answer without anything has a role, which clients want", tags) {
  auto got = frames_of(ended({session_start{"m1"}}, finish_reason::stop));
  CHECK(got == std::vector<std::string>{chunk(R"("role":"assistant","content":"")", R"("stop")"),
                                        "[DONE]"});
}

TEST_CASE("what a provider wants back with a call goes out and comes in as extra_content", tags) {
  auto call = std::get<tool_args_complete>(complete("c1", "f", "{}", true));
  call.provider_metadata.text = R"({"google":{"thought_signature":"s"}})";
  auto events = ended({call}, finish_reason::tool_calls);
  auto member = R"("arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}])";
  CHECK(frames_of(events).at(0).find(member) != std::string::npos);
  CHECK(whole(events).find(member) != std::string::npos);
}

TEST_CASE("extra_content that came on many lines goes out on one", tags) {
  auto call = std::get<tool_args_complete>(complete("c1", "f", "{}", true));
  call.provider_metadata.text = "{\r\n  \"google\": {\n    \"a\": 1\n  }\n}";
  auto events = ended({call}, finish_reason::tool_calls);
  auto member = R"("extra_content":{    "google": {     "a": 1   } }}])";
  CHECK(frames_of(events).at(0).find(member) != std::string::npos);
  CHECK(whole(events).find(member) != std::string::npos);
}

TEST_CASE("a call with broken arguments is not shown: the model is told of it", tags) {
  auto call =
      tool_args_complete{"c1", "f", {R"("{oops")"}, true, errc::tool_arguments_invalid, "no"};
  std::vector<event> events{tool_args_start{"c1", "f", true}, tool_args_delta{"c1", "{oops"}, call,
                            text_delta{"Sorry."}};
  events = ended(std::move(events), finish_reason::stop);
  CHECK(frames_of(events) ==
        std::vector<std::string>{chunk(R"("role":"assistant","content":"Sorry.")"),
                                 chunk("", R"("stop")"), "[DONE]"});
  CHECK(whole(events).find("tool_calls") == std::string::npos);
}

TEST_CASE("the usage of the turn is a chunk without choices when it is asked for", tags) {
  auto got = frames_of(ended({text_delta{"a"}}, finish_reason::length), true);
  REQUIRE(got.size() == 4);
  CHECK(got[2] ==
        R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",)"
        R"("choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,)"
        R"("prompt_tokens_details":{"cached_tokens":3},)"
        R"("completion_tokens_details":{"reasoning_tokens":2}}})");
}

TEST_CASE("a turn that may run no more tools ends with length, for no call is shown", tags) {
  auto got = frames_of(ended({text_delta{"a"}}, finish_reason::tool_calls));
  CHECK(got[1] == chunk("", R"("length")"));
}

TEST_CASE("failures and aborts in mid-stream are errors that clients throw", tags) {
  auto failed = frames_of({text_delta{"a"}, session_error{errc::model_stream_cut, "cut", true}});
  CHECK(
      failed.at(1) ==
      R"({"error":{"message":"cut","type":"server_error","param":null,"code":"model_stream_cut"}})");
  CHECK(failed.back() == "[DONE]");
  auto aborted = frames_of({text_delta{"a"}, abort_event{"shutdown"}, session_end{}});
  CHECK(aborted.at(1).find("shutdown") != std::string::npos);
  CHECK(aborted.size() == 3);
}

TEST_CASE("one answer holds text, reasoning, the client's calls and the usage", tags) {
  auto body =
      whole(ended({reasoning_delta{"hm"}, text_delta{"a"}, text_delta{"b"},
                   complete("c1", "f", R"({"x":"y"})", true), complete("c2", "g", "{}", false)},
                  finish_reason::tool_calls));
  CHECK(body ==
        R"({"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m",)"
        R"("choices":[{"index":0,"message":{"role":"assistant","content":"ab","refusal":null,)"
        R"("reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":)"
        R"({"name":"f","arguments":"{\"x\":\"y\"}"}}]},"logprobs":null,)"
        R"("finish_reason":"tool_calls"}],"usage":{"prompt_tokens":10,"completion_tokens":5,)"
        R"("total_tokens":15,"prompt_tokens_details":{"cached_tokens":3},)"
        R"("completion_tokens_details":{"reasoning_tokens":2}}})");
}

TEST_CASE("one answer with calls only has no content, and a failed turn has an error", tags) {
  auto body = whole(ended({complete("c1", "f", "{}", true)}, finish_reason::tool_calls));
  CHECK(body.find(R"("content":null)") != std::string::npos);
  completion_collector failing{identity};
  failing.take(batch({session_error{errc::model_failed, "no", true}}));
  CHECK(failing.error().code == errc::model_failed);
}

} // namespace completions_stream_test

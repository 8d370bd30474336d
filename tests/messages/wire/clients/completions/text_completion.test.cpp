#include "messages/wire/clients/completions/text_completion.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace text_completion_test {

using namespace troupe;

namespace {

constexpr auto tags = "[completions][wire]";

const completion_identity identity{"cmpl-1", "m", 1700000000};
const usage used{10, 5, 15, 2, 3};

/// Returns an answer or a chunk. @param members behind those of the identity
std::string body(const std::string& members) {
  return R"({"id":"cmpl-1","object":"text_completion","created":1700000000,"model":"m",)" +
         members + '}';
}

std::string choice(const std::string& text, const std::string& reason = "null") {
  return R"("choices":[{"text":)" + text + R"(,"index":0,"logprobs":null,"finish_reason":)" +
         reason + "}]";
}

event_batch batch(std::vector<event> events) {
  return {"s", "t", 1, 0, std::move(events)};
}

/// Returns the frames of the events, without what each begins with and the blank lines.
std::vector<std::string> frames_of(const std::vector<event>& events, bool include_usage = false) {
  text_completion_stream stream{identity, include_usage};
  json_buffer out;
  for (const auto& each : events) // cut anywhere, the bytes are the same
    stream.encode(batch({each}), out);
  std::vector<std::string> frames;
  for (std::string_view rest = view(out); !rest.empty();) {
    const auto end = rest.find("\n\n");
    REQUIRE(end != rest.npos);
    REQUIRE(rest.starts_with("data: "));
    frames.emplace_back(rest.substr(6, end - 6));
    rest.remove_prefix(end + 2);
  }
  return frames;
}

/// Two rounds with reasoning and a call that was run here.
std::vector<event> two_rounds(finish_reason why) {
  return {model_response_waiting{0, "m"},
          reasoning_delta{"hm"},
          text_delta{"a\n"},
          tool_args_complete{"c1", "f", {"{}"}, false, errc::none, ""},
          model_response_waiting{1, "m"},
          text_delta{"b"},
          model_generation_stop{why, used},
          session_end{why, used, 0}};
}

const std::string usage_member =
    R"("usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,)"
    R"("prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}})";

} // namespace

TEST_CASE("the text of a turn becomes chunks of a text completion, and nothing else does", tags) {
  CHECK(frames_of(two_rounds(finish_reason::stop)) ==
        std::vector<std::string>{body(choice(R"("a\n")")), body(choice(R"("\n\n")")),
                                 body(choice(R"("b")")), body(choice(R"("")", R"("stop")")),
                                 "[DONE]"});
}

TEST_CASE("the usage of a text completion is its last chunk, where it is asked for", tags) {
  const auto got = frames_of({text_delta{"b"}, model_generation_stop{finish_reason::length, used},
                              session_end{finish_reason::length, used, 0}},
                             true);
  CHECK(got == std::vector<std::string>{body(choice(R"("b")") + R"(,"usage":null)"),
                                        body(choice(R"("")", R"("length")") + R"(,"usage":null)"),
                                        body(R"("choices":[],)" + usage_member), "[DONE]"});
}

TEST_CASE("a whole text completion has the text, the reason and the usage", tags) {
  text_completion_collector collector{identity};
  collector.take(batch(two_rounds(finish_reason::tool_calls))); // no more calls may be run
  CHECK_FALSE(collector.error());
  CHECK(collector.body() == body(choice(R"("a\n\n\nb")", R"("length")") + ',' + usage_member));
}

TEST_CASE("a text completion that fails ends with the error", tags) {
  const auto got = frames_of({text_delta{"b"}, session_error{errc::model_failed, "broken", false}});
  REQUIRE(got.size() == 3);
  CHECK(got[1].starts_with(R"({"error":{"message":"broken")"));
  CHECK(got[2] == "[DONE]");
  text_completion_collector collector{identity};
  collector.take(batch({text_delta{"b"}, session_error{errc::model_failed, "broken", false}}));
  CHECK(collector.error().code == errc::model_failed);
}

} // namespace text_completion_test

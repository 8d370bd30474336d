#include "messages/wire/anthropic/anthropic_blocks.hpp"
#include "messages/wire/anthropic/anthropic_event.hpp"
#include "tests/messages/wire/provider/decoded_body.hpp"

namespace anthropic_answer_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string event_of(const std::string& json) {
  return "data: " + json + "\n\n";
}

const std::string start = event_of(R"({"type":"message_start","message":{"id":"m"}})");
const std::string stop =
    event_of(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})") +
    event_of(R"({"type":"message_stop"})");

decoded_body decode_events(const std::string& events) {
  return decode_body("anthropic", {}, {events});
}

} // namespace

TEST_CASE("what Anthropic says of a refusal stands in the reason", "[messages][anthropic]") {
  const auto answer = decode_events(
      start +
      event_of(R"({"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{)"
               R"("category":"cyber","explanation":"Not\n allowed."}}})") +
      event_of(R"({"type":"message_stop"})"));
  CHECK(answer.end.reason == finish_reason::content_filter);
  CHECK(answer.end.raw_reason == "refusal (Not allowed.)");
  CHECK(answer.text().empty());
}

TEST_CASE("an answer of Anthropic may have 4096 blocks", "[messages][anthropic]") {
  const auto with = [](size_t blocks) {
    auto events = start;
    for (size_t i = 0; i < blocks; ++i)
      events += event_of(fmt::format(
          R"({{"type":"content_block_start","index":{},"content_block":{{"type":"odd"}}}})", i));
    return decode_events(events + stop);
  };
  CHECK_FALSE(with(anthropic_blocks::max_blocks).end.error);
  CHECK(with(anthropic_blocks::max_blocks + 1).end.error.code == errc::model_answer_invalid);
}

TEST_CASE("blocks of Anthropic above 4 MiB are not kept, and calls behind them are run",
          "[messages][anthropic]") {
  const auto with = [](size_t bytes) {
    const auto sealed = event_of(R"({"type":"content_block_start","index":0,"content_block":{)"
                                 R"("type":"redacted_thinking","data":")" +
                                 std::string(bytes, 'x') + R"("}})");
    return decode_events(start + sealed + sealed +
                         event_of(R"({"type":"content_block_start","index":2,"content_block":{)"
                                  R"("type":"tool_use","id":"a","name":"get","input":{"a":1}}})") +
                         event_of(R"({"type":"content_block_stop","index":2})") + stop);
  };
  const auto small = with(size_t{1} << 20);
  CHECK(small.end.provider_metadata.size() > size_t{2} << 20);
  const auto large = with(size_t{5} << 19);
  CHECK(large.end.provider_metadata.empty());
  REQUIRE(large.calls().size() == 1);
  CHECK(large.calls().front().arguments.text == R"({"a":1})");
}

TEST_CASE("blocks of Anthropic that are no JSON are not kept", "[messages][anthropic]") {
  const auto with = [](const std::string& citation) {
    return decode_events(
        start +
        event_of(R"({"type":"content_block_start","index":0,"content_block":{"type":"text",)"
                 R"("text":"Blue."}})") +
        event_of(R"({"type":"content_block_delta","index":0,"delta":{"type":"citations_delta",)"
                 R"("citation":)" +
                 citation + "}}") +
        stop);
  };
  CHECK_FALSE(with(R"({"cited_text":"2"})").end.provider_metadata.empty());
  const auto broken = with(R"({"cited_text":""2})");
  CHECK(broken.end.provider_metadata.empty());
  CHECK(broken.text() == "Blue.");
}

TEST_CASE("a delta is known by its form only where it has it to the end", "[messages][anthropic]") {
  anthropic_delta delta;
  const std::string text = R"({"type":"content_block_delta","index":12,)"
                           R"("delta":{"type":"text_delta","text":"a\"}}"} })";
  CHECK(match_anthropic_delta(text, delta) == text.size());
  CHECK(delta.index == 12);
  CHECK(delta.literal == R"("a\"}}")");
  for (size_t bytes = 0; bytes < text.size(); ++bytes)
    CHECK(match_anthropic_delta(text.substr(0, bytes), delta) == 0);
  const auto stream = "event: content_block_delta\ndata: " + text + "  \n\n";
  CHECK(match_anthropic_delta_event(stream, delta) == stream.size());
  CHECK(match_anthropic_delta_event(stream.substr(0, stream.size() - 1), delta) == 0);
  for (
      std::string_view other :
      {R"({"type":"content_block_delta","index":,"delta":{"type":"text_delta","text":"a"}})",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"odd_delta","text":"a"}})",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":7}})",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"},"x":1})"})
    CHECK(match_anthropic_delta(other, delta) == 0);
}

} // namespace anthropic_answer_test

#include "messages/wire/openai_chat/openai_answer.hpp"

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "tests/messages/wire/provider/decoded_body.hpp"
#include "tests/support/catch.hpp"

namespace openai_answer_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string replaced{utf8_replacement};
const std::string smile = "\xF0\x9F\x98\x80";

std::string chunk(std::string_view delta) {
  return fmt::format(R"({{"choices":[{{"index":0,"delta":{}}}]}})", delta);
}

std::string as_event(std::string_view member, std::string_view literal) {
  return "data: " + chunk(fmt::format("{{\"{}\":\"{}\"}}", member, literal)) + "\n\n";
}

failure read(openai_answer& answer, const std::string& delta, std::vector<event>& out) {
  auto json = chunk(delta);
  auto padded = json + std::string(json_padding, '\0'); // only what is not copied is learned
  return answer.read({{}, {padded.data(), json.size()}, padded.size()}, out);
}

/// Returns the parts of an answer, as "reasoning: ..." and "text: ...".
std::vector<std::string> parts_of(const std::vector<event>& events) {
  std::vector<std::string> parts;
  for (const auto& each : merged(events)) {
    if (const auto* thought = std::get_if<reasoning_delta>(&each))
      parts.push_back("reasoning: " + thought->text);
    else if (const auto* text = std::get_if<text_delta>(&each))
      parts.push_back("text: " + text->text);
  }
  return parts;
}

std::vector<std::string> parts_of_deltas(const std::vector<std::string>& deltas) {
  openai_answer answer{"made-"};
  std::vector<event> out;
  for (const auto& each : deltas)
    CHECK_FALSE(read(answer, each, out));
  answer.complete(out);
  return parts_of(out);
}

using parts = std::vector<std::string>;

} // namespace

TEST_CASE("events of a known shape join the halves of a character", "[messages][openai_chat]") {
  for (std::string member : {"content", "reasoning_content"}) {
    openai_answer answer{"made-"};
    std::vector<event> out;
    CHECK_FALSE(read(answer, R"({"content":"x"})", out)); // no tags from here on
    CHECK_FALSE(read(answer, "{\"" + member + R"(":"a\ud83d"})", out));
    auto stream = as_event(member, R"(\ude00b\ud83d)") + as_event(member, R"(\ude00)") +
                  as_event(member, R"(c\ud83d)") + as_event(member, R"(\\ude00)") +
                  as_event(member, R"(\ud83d)");
    REQUIRE(answer.read_known_events(stream, out) == stream.size());
    answer.complete(out);
    auto text = "a" + smile + "b" + smile + "c" + replaced + "\\ude00" + replaced;
    CHECK(parts_of(out) ==
          (member == "content" ? parts{"text: x" + text} : parts{"text: x", "reasoning: " + text}));
    CHECK_FALSE(answer.finished());
    CHECK(answer.end().reason == finish_reason::stop);
  }
}

TEST_CASE("halves in known events are joined however the network cuts them",
          "[messages][openai_chat]") {
  std::string body = as_event("reasoning_content", "t") +
                     as_event("reasoning_content", R"(\ud83d)") +
                     as_event("reasoning_content", R"(\ude00)") + as_event("content", "x");
  for (int i = 0; i < 3; ++i)
    body += as_event("content", R"(a\ud83d)") + as_event("content", R"(\ude00)");
  body += "data: [DONE]\n\n";
  std::string_view bytes = body;
  const parts expected{"reasoning: t" + smile, "text: xa" + smile + "a" + smile + "a" + smile};
  for (size_t at = 0; at <= bytes.size(); ++at) {
    answer_decoder decoder{std::make_unique<openai_answer>("made-")};
    decoder.head(200, "text/event-stream", "");
    std::vector<event> out;
    decoder.feed(bytes.substr(0, at), out);
    CHECK(decoder.feed(bytes.substr(at), out).over);
    INFO("cut at byte " << at);
    REQUIRE(parts_of(out) == expected);
  }
}

TEST_CASE("a half stays where it came when something else begins", "[messages][openai_chat]") {
  CHECK(parts_of_deltas({R"({"reasoning":"a\ud83d"})", R"({"content":"b"})"}) ==
        parts{"reasoning: a" + replaced, "text: b"});
  CHECK(parts_of_deltas({R"({"content":"a\ud83d"})", R"({"reasoning":"b"})"}) ==
        parts{"text: a" + replaced, "reasoning: b"});
  CHECK(parts_of_deltas({R"({"content":"<think>a\ud83d"})", R"({"reasoning":"b"})"}) ==
        parts{"reasoning: a" + replaced + "b"});
  CHECK(parts_of_deltas({R"({"content":"a\ud83d"})", R"({"content":"","reasoning":""})",
                         R"({"content":"\ude00"})"}) == parts{"text: a" + smile});
}

TEST_CASE("a half of thoughts in tags is shown with them at the end", "[messages][openai_chat]") {
  CHECK(parts_of_deltas({R"({"content":"<think>a\ud83d"})", R"({"content":"\ude00\ud83d"})"}) ==
        parts{"reasoning: a" + smile + replaced});
  CHECK(parts_of_deltas({R"({"content":"\ud83d"})"}) == parts{"text: " + replaced});
}

TEST_CASE("a half in front of a tool call is shown before it", "[messages][openai_chat]") {
  openai_answer answer{"made-"};
  std::vector<event> out;
  CHECK_FALSE(read(answer, R"({"content":"a\ud83d"})", out));
  CHECK_FALSE(
      read(answer, R"({"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]})", out));
  answer.complete(out);
  REQUIRE(out.size() == 5);
  CHECK(std::get<text_delta>(out[1]).text == replaced);
  CHECK(std::holds_alternative<tool_args_start>(out[2]));
}

TEST_CASE("the halves of parts of one list are joined", "[messages][openai_chat]") {
  CHECK(
      parts_of_deltas({R"({"content":[{"type":"thinking","thinking":"a\ud83d"},)"
                       R"({"type":"thinking","thinking":"\ude00\ud83d"},)"
                       R"({"type":"text","text":"b\ud83d"},{"type":"text","text":"\ude00"}]})"}) ==
      parts{"reasoning: a" + smile + replaced, "text: b" + smile});
}

TEST_CASE("an answer that fails shows the half it had", "[messages][openai_chat]") {
  openai_answer answer{"made-"};
  std::vector<event> out;
  CHECK_FALSE(read(answer, R"({"content":"a\ud83d"})", out));
  answer.complete_started(out);
  CHECK(parts_of(out) == parts{"text: a" + replaced});
}

} // namespace openai_answer_test

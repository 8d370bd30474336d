#include "actors/turn/history_match.hpp"

#include "actors/turn/history.hpp"
#include "actors/turn/tool_output.hpp"
#include "messages/chat/tool_name.hpp"

#include "tests/support/catch.hpp"

namespace history_match_test {

using namespace troupe;

namespace {

/// A question, an answer with a call, and its result.
std::vector<chat_message> round() {
  std::vector<chat_message> made(3);
  made[0].text = "go";
  made[0].id = "m1";
  made[0].extras.push_back({});
  made[1].who = role::assistant;
  made[1].reasoning = "hm";
  made[1].provider_metadata = R"({"openai":{}})";
  made[1].tool_calls.push_back({"a", "echo", R"({ "x" : "a  b\" " })", R"({"google":{}})"});
  made[1].id = "m2";
  made[2].who = role::tool;
  made[2].tool_call_id = "a";
  made[2].text = "done";
  made[2].files.push_back({"image/png", "data:", ""});
  made[2].id = "m2";
  return made;
}

/// What a client sends back of it.
std::vector<chat_message> sent() {
  auto made = round();
  made[0].extras.clear();
  made[1].reasoning.clear();
  made[1].provider_metadata.clear();
  made[1].tool_calls[0].provider_metadata.clear();
  made[1].tool_calls[0].arguments = R"({"x":"a  b\" "})";
  made[1].id.clear();
  made[2].files.clear();
  return made;
}

} // namespace

TEST_CASE("what a client cannot know is no difference", "[actors][history_match]") {
  CHECK(same_messages(round(), sent()) == 3);
  auto more = sent();
  more.emplace_back();
  CHECK(same_messages(round(), more) == 3);
  more.resize(1);
  CHECK(same_messages(round(), more) == 1);
  CHECK(same_messages({}, more) == 0);
}

TEST_CASE("a tool's name is the same as the model wrote it and as a provider takes it",
          "[actors][history_match]") {
  auto known = round();
  auto other = sent();
  other[1].tool_calls[0].name = "my tool!";
  CHECK(same_messages(known, other) == 1);
  known[1].tool_calls[0].name = model_tool_name("my tool!");
  CHECK(known[1].tool_calls[0].name != "my tool!");
  CHECK(same_messages(known, other) == 3);
}

TEST_CASE("another order of text and files is another message", "[actors][history_match]") {
  chat_message known;
  known.text = "one\ntwo";
  known.files = {{"image/png", "http://h/a", "", "", 4}};
  auto other = known;
  CHECK(same_messages({known}, {other}) == 1);
  other.files[0].text_behind = 8;
  CHECK(same_messages({known}, {other}) == 0);
  known.files[0].text_behind = 0; // as it was kept before that was
  CHECK(same_messages({known}, {other}) == 1);
}

TEST_CASE("a page need not say how closely to look at an image", "[actors][history_match]") {
  chat_message known;
  known.files = {{"image/png", "http://h/a", "", "low"}};
  auto other = known;
  other.files[0].detail.clear();
  CHECK(same_messages({known}, {other}) == 1);
  other.files[0].detail = "high";
  CHECK(same_messages({known}, {other}) == 0);
}

TEST_CASE("a result is the same however the client was shown it", "[actors][history_match]") {
  auto known = round();
  auto other = sent();
  SECTION("numbers, escapes and members as JavaScript writes them") {
    known[2].text = R"({"b": 1.0, "7": "\u00e9", "c": [1e2]})";
    other[2].text = R"({"7":"é","b":1,"c":[100]})";
    known[1].tool_calls[0].arguments = R"({"x":1.0,"y":"\u00e9","id":1234567890123456789})";
    other[1].tool_calls[0].arguments = R"({"x":1,"y":"é","id":1234567890123456800})";
  }
  SECTION("whole, where the model was told a part") {
    other[2].text = "a long text";
    known[2].text = bounded_output(other[2].text, 5);
  }
  SECTION("nothing") {
    other[2].text.clear();
    known[2].text = no_output_text;
  }
  CHECK(same_messages(known, other) == 3);
}

TEST_CASE("a result that says something else is another", "[actors][history_match]") {
  auto known = round();
  auto other = sent();
  known[2].text = bounded_output("a long text", 5);
  other[2].text = GENERATE("a lon", "a bong text", "");
  CHECK(same_messages(known, other) == 2);
  known[2].text = R"({"x":1})";
  other[2].text = R"({"x":2})";
  CHECK(same_messages(known, other) == 2);
}

TEST_CASE("histories differ from the first message on that says something else",
          "[actors][history_match]") {
  auto other = sent();
  size_t expected = 0;
  SECTION("a text") {
    other[0].text = "went";
  }
  SECTION("an id") {
    other[0].id = "m9";
  }
  SECTION("a user's files") {
    other[0].files.push_back({"image/png", "data:", ""});
  }
  SECTION("a user's attachments") {
    other[0].extras.push_back({"", "other", "", "", "", ""});
  }
  SECTION("a role") {
    other[1].who = role::user;
    expected = 1;
  }
  SECTION("white space inside a string of the arguments") {
    other[1].tool_calls[0].arguments = R"({"x":"a b\" "})";
    expected = 1;
  }
  SECTION("arguments that go on") {
    other[1].tool_calls[0].arguments = R"({"x":"a  b\" "}1)";
    expected = 1;
  }
  SECTION("one call more") {
    other[1].tool_calls.push_back({"b", "echo", "{}"});
    expected = 1;
  }
  SECTION("a result") {
    other[2].text = "not done";
    expected = 2;
  }
  CHECK(same_messages(round(), other) == expected);
}

} // namespace history_match_test

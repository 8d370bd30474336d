#include "actors/history_match.hpp"

#include "tests/support/catch.hpp"

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

TEST_CASE("what a client can not know is no difference", "[actors][history_match]") {
  CHECK(same_messages(round(), sent()) == 3);
  auto more = sent();
  more.emplace_back();
  CHECK(same_messages(round(), more) == 3);
  more.resize(1);
  CHECK(same_messages(round(), more) == 1);
  CHECK(same_messages({}, more) == 0);
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

#include "actors/turn/message_extras.hpp"
#include "messages/chat/skipped_call_texts.hpp"
#include "messages/chat/tool_name.hpp"

#include "tests/support/catch.hpp"

namespace message_extras_test {

using namespace troupe;

namespace {

chat_message says(role who, const std::string& text) {
  return {who, text, {}, {}, {}};
}

attachment attached(const std::string& text, const std::string& error = "") {
  return {"res-1", "one", "file:///x", "x", "text/plain", false, text, error};
}

} // namespace

TEST_CASE("attachments go with the last message of the user", "[actors][message_extras]") {
  std::vector<chat_message> history{says(role::user, "first"), says(role::assistant, "yes"),
                                    says(role::user, "second"), says(role::tool, "result")};
  CHECK(attach(history, {attached("text"), attached("", "gone")}));
  CHECK(history[0].extras.empty());
  CHECK(history[3].extras.empty());
  REQUIRE(history[2].extras.size() == 2);
  const auto& good = history[2].extras[0];
  CHECK(good.type == "MCP_RESOURCE");
  CHECK(good.name == "x");
  CHECK(good.uri == "file:///x");
  CHECK(good.server_name == "one");
  CHECK(good.mime_type == "text/plain");
  CHECK(good.content == "text");
  CHECK(history[2].extras[1].content == "[This resource could not be read: gone]");
}

TEST_CASE("without a message of the user nothing is attached", "[actors][message_extras]") {
  std::vector<chat_message> history{says(role::system, "be brief")};
  CHECK_FALSE(attach(history, {attached("text")}));
  CHECK(history[0].extras.empty());
}

TEST_CASE("a history that replaces another keeps what was attached, as far as they agree",
          "[actors][message_extras]") {
  std::vector<chat_message> old{says(role::system, "be brief"), says(role::user, "a"),
                                says(role::assistant, "A"), says(role::user, "b"),
                                says(role::user, "c")};
  for (auto& each : old)
    if (each.who == role::user)
      each.extras.push_back({"MCP_RESOURCE", each.text, "", "", "", ""});
  std::vector<chat_message> history{says(role::user, "a"), says(role::assistant, "other")};
  SECTION("to the end") {
    history.push_back(says(role::user, "b"));
    history.push_back(says(role::user, "c"));
    history.push_back(says(role::user, "d"));
    CHECK(carry_extras(old, history));
    CHECK(history[0].extras.at(0).name == "a");
    CHECK(history[2].extras.at(0).name == "b");
    CHECK(history[3].extras.at(0).name == "c");
    CHECK(history[4].extras.empty());
  }
  SECTION("to a message that was edited") {
    history.push_back(says(role::user, "edited"));
    history.push_back(says(role::user, "c"));
    CHECK(carry_extras(old, history));
    CHECK(history[0].extras.size() == 1);
    CHECK(history[2].extras.empty());
    CHECK(history[3].extras.empty());
  }
  SECTION("but not in place of what comes with it") {
    history[0].extras.push_back({"MCP_RESOURCE", "new", "", "", "", ""});
    CHECK(carry_extras(old, history));
    REQUIRE(history[0].extras.size() == 1);
    CHECK(history[0].extras[0].name == "new");
  }
  SECTION("of which there may be nothing") {
    history[0].text = "edited";
    CHECK_FALSE(carry_extras(old, history));
  }
}

TEST_CASE("what a provider wants back is taken over by the ids of calls",
          "[actors][message_extras]") {
  auto asks = says(role::assistant, "");
  asks.tool_calls = {{"a", "echo", "{}", R"({"g":{}})"}, {"b", "sum", "{}", R"({"h":{}})"}};
  asks.reasoning = "hm";
  asks.provider_metadata = R"({"o":{}})";
  std::vector<chat_message> old{says(role::user, "hi"), asks};
  auto bare = says(role::assistant, "");
  bare.tool_calls = {{"a", "echo", "{}"}, {"b", "other", "{}"}};
  std::vector<chat_message> history{says(role::user, "edited"), bare};
  SECTION("where it is missing") {
    carry_answers(old, history);
    CHECK(history[1].reasoning == "hm");
    CHECK(history[1].provider_metadata == R"({"o":{}})");
    CHECK(history[1].tool_calls[0].provider_metadata == R"({"g":{}})");
    CHECK(history[1].tool_calls[1].provider_metadata == ""); // it is another call
  }
  SECTION("and not in place of what the client sent") {
    history[1].reasoning = "its own";
    carry_answers(old, history);
    CHECK(history[1].reasoning == "its own");
  }
  SECTION("and not for other calls") {
    history[1].tool_calls.erase(history[1].tool_calls.begin());
    history[1].tool_calls[0].id = "c";
    carry_answers(old, history);
    CHECK(history[1].reasoning == "");
  }
}

TEST_CASE("results of calls at the end are taken over where there is none",
          "[actors][message_extras]") {
  auto asks = says(role::assistant, "");
  asks.tool_calls = {{"a", "echo", "{}"}, {"b", "sum", "{}"}, {"c", "sum", "{}"}};
  auto result = [](const std::string& id, const std::string& text) {
    return chat_message{role::tool, text, {}, {}, id};
  };
  std::vector<chat_message> old{asks, result("a", "A"), result("b", "B")};
  std::vector<chat_message> history{asks, result("a", "the client's")};
  carry_results(old, history);
  REQUIRE(history.size() == 3);
  CHECK(history[1].text == "the client's");
  CHECK(history[2].text == "B");
}

TEST_CASE("a result that the client does not have is that of the same call",
          "[actors][message_extras]") {
  auto result = [](const std::string& id, std::string_view text) {
    return chat_message{role::tool, std::string{text}, {}, {}, id};
  };
  auto asks = says(role::assistant, "");
  for (const auto* id : {"a", "b", "c", "d", "e"})
    asks.tool_calls.push_back({id, "echo", "{}"});
  std::vector<chat_message> known{asks, result("a", "A"), result("b", "B"), result("c", "C")};
  known[1].files = {{"image/png", "data:", ""}};
  std::vector<chat_message> sent{asks,
                                 result("a", not_run_text),
                                 result("b", denial("no")),
                                 result("c", "the client's"),
                                 result("d", not_run_text),
                                 result("e", denial("no"))};
  restore_results(known, sent, "nobody has it");
  CHECK(sent[1].text == "A");
  CHECK(sent[1].files.size() == 1);
  CHECK(sent[2].text == "B");
  CHECK(sent[3].text == "the client's");
  CHECK(sent[4].text == "nobody has it");
  CHECK(sent[5].text == denial("no"));
}

TEST_CASE("a result goes to the call that it belongs to, whatever others have its id",
          "[actors][message_extras]") {
  auto asks = [](const std::string& arguments) {
    auto made = says(role::assistant, "");
    made.tool_calls = {{"call_0", "lookup", arguments}};
    return made;
  };
  auto result = [](std::string_view text) {
    return chat_message{role::tool, std::string{text}, {}, {}, "call_0"};
  };
  const std::vector<chat_message> known{asks(R"({"q":"Paris"})"), result("PARIS"),
                                        asks(R"({"q":"Rome"})"), result("ROME")};
  std::vector<chat_message> sent{asks(R"({ "q": "Rome" })"), result(not_run_text),
                                 asks(R"({"q":"Paris"})"),   result(not_run_text),
                                 asks(R"({"q":"Oslo"})"),    result(not_run_text)};
  restore_results(known, sent, "unknown");
  CHECK(sent[1].text == "ROME");
  CHECK(sent[3].text == "PARIS");
  CHECK(sent[5].text == "unknown");
}

TEST_CASE("what a provider wants back stays with a call whose name the model made up",
          "[actors][message_extras]") {
  auto kept = says(role::assistant, "");
  kept.tool_calls = {
      {"a", model_tool_name("my tool!"), "{}", R"({"google":{"thought_signature":"s"}})"}};
  auto shown = says(role::assistant, "");
  shown.tool_calls = {{"a", "my tool!", "{}"}};
  std::vector<chat_message> old{says(role::user, "hi"), kept};
  std::vector<chat_message> history{says(role::user, "edited"), shown};
  carry_answers(old, history);
  CHECK(history[1].tool_calls[0].provider_metadata == R"({"google":{"thought_signature":"s"}})");
}

TEST_CASE("a client decides how its own messages are shown, and which silent answers are there",
          "[actors][message_extras]") {
  auto known = says(role::user, "a");
  known.shown = {make_shown("part", "{}"), make_shown("assistant", "a1"), make_shown("step")};
  auto sent = known;
  sent.id = "u1";
  CHECK_FALSE(follow_shown(sent, known));
  SECTION("it shows the answer no more") {
    sent.shown.resize(1);
    CHECK(follow_shown(sent, known));
    CHECK(known.shown.size() == 1);
  }
  SECTION("it shows another part") {
    sent.shown[0].value = "[]";
    CHECK(follow_shown(sent, known));
    CHECK(known.shown == sent.shown);
  }
  SECTION("it has no ids, and shows nothing of this") {
    sent.id.clear();
    sent.shown.clear();
    CHECK_FALSE(follow_shown(sent, known));
    CHECK(known.shown.size() == 3);
  }
  SECTION("of an answer the server knows better") {
    known.who = sent.who = role::assistant;
    sent.shown[0].value = "[]";
    CHECK_FALSE(follow_shown(sent, known));
    sent.shown[1].value = "a2";
    CHECK(follow_shown(sent, known));
    CHECK(known.shown[0].value == "{}");
    CHECK(known.shown[1].value == "a2");
  }
}

TEST_CASE("a result that stands elsewhere keeps its images and how it is shown",
          "[actors][message_extras]") {
  auto known = says(role::tool, "a cat");
  known.tool_call_id = "c1";
  known.files = {{"image/png", "data:image/png;base64,AA=="}};
  known.shown = {make_shown("content")};
  std::vector<chat_message> old{known};
  auto other = says(role::tool, "another text");
  other.tool_call_id = "c1";
  auto same = says(role::tool, "a cat");
  same.tool_call_id = "c1";
  std::vector<chat_message> sent{other, same};
  carry_shown(old, sent);
  CHECK(sent[0].files.empty());
  CHECK(sent[1].files == known.files);
  CHECK(sent[1].shown == known.shown);
}

} // namespace message_extras_test

#include "actors/message_extras.hpp"

#include "tests/support/catch.hpp"

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

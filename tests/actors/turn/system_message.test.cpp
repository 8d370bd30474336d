#include "actors/turn/system_message.hpp"

#include "tests/support/catch.hpp"

namespace system_message_test {

using namespace troupe;

namespace {

chat_message said(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  made.id = "id of " + made.text;
  return made;
}

std::vector<std::string> texts(const std::vector<chat_message>& history) {
  std::vector<std::string> out;
  for (const auto& each : history)
    out.push_back(to_string(each.who) + ' ' + each.text);
  return out;
}

using strings = std::vector<std::string>;

} // namespace

TEST_CASE("a system message is set at the front of a history", "[actors][system_message]") {
  std::vector<chat_message> history{said(role::user, "hi"), said(role::assistant, "ho")};
  CHECK(set_system_message(history, "be brief", "msg_1") == 0);
  CHECK(texts(history) == strings{"system be brief", "user hi", "assistant ho"});
  CHECK(history.front().id == "msg_1");
}

TEST_CASE("a system message takes the place of all that there are", "[actors][system_message]") {
  std::vector<chat_message> history{said(role::system, "a"), said(role::user, "hi"),
                                    said(role::system, "b"), said(role::assistant, "ho")};
  SECTION("by another one") {
    CHECK(set_system_message(history, "c", "") == 0);
    CHECK(texts(history) == strings{"system c", "user hi", "assistant ho"});
  }
  SECTION("by none") {
    CHECK(set_system_message(history, " \n", "") == 0);
    CHECK(texts(history) == strings{"user hi", "assistant ho"});
  }
}

TEST_CASE("a system message that is there already changes nothing", "[actors][system_message]") {
  std::vector<chat_message> history{said(role::system, "a"), said(role::user, "hi")};
  const auto before = history;
  CHECK(set_system_message(history, "a", "msg_1") == 2);
  CHECK(history == before);
  std::vector<chat_message> none{said(role::user, "hi")};
  CHECK(set_system_message(none, "", "msg_1") == 1);
  CHECK(texts(none) == strings{"user hi"});
}

TEST_CASE("an answer that is kept behind a system message is not lost with it",
          "[actors][system_message]") {
  std::vector<chat_message> history{said(role::user, "hi"), said(role::system, "a")};
  history.back().shown = {make_shown("text"), make_shown("assistant", "m"), make_shown("step")};
  set_system_message(history, "b", "");
  REQUIRE(history.size() == 2);
  const auto& shown = history.back().shown;
  REQUIRE(shown.size() >= 2);
  CHECK(shown[shown.size() - 2] == make_shown("assistant", "m"));
  CHECK(shown.back() == make_shown("step"));
}

} // namespace system_message_test

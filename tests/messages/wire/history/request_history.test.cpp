#include "messages/wire/history/request_history.hpp"

#include "tests/support/catch.hpp"

namespace request_history_test {

using namespace troupe;

namespace {

using messages = std::vector<chat_message>;

constexpr history_rules strict{.begins_with_user = true,
                               .alternates = true,
                               .answers_results = true,
                               .ends_with_user = true,
                               .shown_by_user = {true, false}};
constexpr history_rules lenient{.begins_with_user = false,
                                .alternates = false,
                                .answers_results = false,
                                .ends_with_user = false};

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

chat_message user(std::string text) {
  return says(role::user, std::move(text));
}

chat_message answer(std::string text, std::vector<tool_call> calls = {}) {
  auto made = says(role::assistant, std::move(text));
  made.tool_calls = std::move(calls);
  return made;
}

chat_message result(std::string id, std::string text) {
  auto made = says(role::tool, std::move(text));
  made.tool_call_id = std::move(id);
  return made;
}

/// "user: hi | assistant: a(get {}) | tool: a=ok"
std::string shown(const request_history& seen) {
  std::string text;
  for (size_t i = 0; i < seen.size(); ++i) {
    const auto& each = seen[i];
    text += (i == 0 ? "" : " | ") + to_string(each.who) + ": ";
    if (each.who == role::tool)
      text += each.tool_call_id + "=";
    text += each.text;
    for (const auto& call : each.tool_calls)
      text += "<" + call.id + " " + call.name + call.arguments + ">";
  }
  return text;
}

std::string repaired(const messages& history, const history_rules& rules = strict) {
  return shown(request_history{history, "", rules});
}

} // namespace

TEST_CASE("a history in order goes on as it is, and is not copied", "[messages][request_history]") {
  messages history{says(role::system, "be kind"),
                   user("1"),
                   answer("", {{"a", "get", "{}"}}),
                   result("a", "ok"),
                   answer("one"),
                   user("2")};
  const request_history seen{history, "configured", strict};
  CHECK_FALSE(seen.repaired());
  CHECK(seen.system() == "be kind");
  REQUIRE(seen.size() == 5);
  for (size_t i = 0; i < seen.size(); ++i)
    CHECK(&seen[i] == &history[i + 1]);
  CHECK(seen.up_to_user() == 5);
  CHECK(request_history{messages{}, "configured", strict}.system() == "configured");
}

TEST_CASE("a question that was not answered stays, and is said to be",
          "[messages][request_history]") {
  const std::string none = " | assistant: (No answer was given.) | ";
  CHECK(repaired({user("1"), user("2")}) == "user: 1" + none + "user: 2");
  CHECK(repaired({user("1"), answer(""), user("2"), answer(" \n"), user("3")}) ==
        "user: 1" + none + "user: 2" + none + "user: 3");
  CHECK(repaired({user("0"), answer("a"), user("1"), user(" "), user("2")}) ==
        "user: 0 | assistant: a | user: 1" + none + "user: 2");
  CHECK(repaired({user("1"), user("2")}, lenient) == "user: 1 | user: 2");
}

TEST_CASE("messages of the chat are not copied where others are added",
          "[messages][request_history]") {
  messages history{user("1"), user("2"), answer("a"), user("3")};
  const request_history seen{history, "", strict};
  CHECK(seen.repaired());
  REQUIRE(seen.size() == 5);
  CHECK(&seen[0] == &history[0]);
  CHECK(&seen[4] == &history[3]);
  CHECK(seen.up_to_user() == 5);
}

TEST_CASE("two answers in a row are one", "[messages][request_history]") {
  auto thought = answer("b", {{"c", "get", "{}"}});
  thought.reasoning = "hm";
  CHECK(repaired({user("1"), answer("a"), thought, result("c", "ok")}) ==
        "user: 1 | assistant: a\n\nb<c get{}> | tool: c=ok");
}

TEST_CASE("a user begins, and an answer at the end is followed by one",
          "[messages][request_history]") {
  CHECK(repaired({answer("Hello"), user("1")}) ==
        "user: (The assistant began the conversation.) | assistant: Hello | user: 1");
  CHECK(repaired({user("1"), answer("Hel")}) == "user: 1 | assistant: Hel | user: Go on.");
  messages half{user("1"), answer("Hel")};
  CHECK(request_history{half, "", strict}.up_to_user() == 1);
}

TEST_CASE("a turn that broke off between its results and its answer has one",
          "[messages][request_history]") {
  messages history{user("1"), answer("", {{"a", "get", "{}"}}), result("a", "ok"), user("2")};
  CHECK(repaired(history) == "user: 1 | assistant: <a get{}> | tool: a=ok | assistant: (No answer "
                             "was given.) | user: 2");
  CHECK_FALSE(request_history{history, "", lenient}.repaired());
}

TEST_CASE("system messages are one, at the front", "[messages][request_history]") {
  messages history{user("1"), says(role::system, "A"), answer("a"), says(role::system, "B"),
                   user("2")};
  const request_history seen{history, "configured", strict};
  CHECK(seen.system() == "configured\n\nA\n\nB");
  CHECK(shown(seen) == "user: 1 | assistant: a | user: 2");
  CHECK(repaired({says(role::system, " ")}) == "user: (The user sent an empty message.)");
  messages own{says(role::system, "mine"), user("1"), says(role::system, "B")};
  CHECK(request_history{own, "configured", strict}.system() == "mine\n\nB");
}

TEST_CASE("an empty message of the user is said to be one", "[messages][request_history]") {
  CHECK(repaired({user(" \n")}) == "user: (The user sent an empty message.)");
  CHECK(repaired({answer(""), result("a", "A")}) == "user: (The user sent an empty message.)");
  auto file = user("");
  file.files = {{"image/png", "https://x/1", ""}};
  CHECK(repaired({file}) == "user: ");
}

TEST_CASE("each call has its one result, and no result stands alone",
          "[messages][request_history]") {
  const tool_call a{"a", "get", "{}"};
  const tool_call b{"b", "get", "{}"};
  CHECK(repaired({user("1"), answer("", {a, b}), result("b", "B"), result("a", "A")}) ==
        "user: 1 | assistant: <a get{}><b get{}> | tool: a=A | tool: b=B");
  CHECK(
      repaired({user("1"), answer("", {a}), user("2")}) ==
      "user: 1 | assistant: <a get{}> | tool: a=The tool was not run. | assistant: (No answer was "
      "given.) | user: 2");
  CHECK(repaired({result("x", "X"), user("1"), result("y", "Y"), answer("z"), result("z", "Z"),
                  user("2")}) == "user: 1 | assistant: z | user: 2");
  CHECK(repaired({user("1"), answer("", {a}), result("a", "A"), result("a", "again")}) ==
        "user: 1 | assistant: <a get{}> | tool: a=A");
  CHECK(repaired({user("1"), answer("", {a}), result("a", " ")}) ==
        "user: 1 | assistant: <a get{}> | tool: a=(The tool returned nothing.)");
}

TEST_CASE("ids of calls are unique, and each result keeps its call",
          "[messages][request_history]") {
  const tool_call a{"a", "get", "{}"};
  CHECK(repaired({user("1"), answer("", {a, a}), result("a", "A"), result("a", "B")}) ==
        "user: 1 | assistant: <a get{}><a_2 get{}> | tool: a=A | tool: a_2=B");
  CHECK(
      repaired({user("1"), answer("", {a}), result("a", "A"), answer("", {a}), result("a", "B")}) ==
      "user: 1 | assistant: <a get{}> | tool: a=A | assistant: <a_2 get{}> | tool: a_2=B");
  CHECK(repaired({user("1"), answer("", {{"", "get", "{}"}}), result("", "A")}) ==
        "user: 1 | assistant: <call_1 get{}> | tool: call_1=A");
}

TEST_CASE("a call that no provider takes is repaired", "[messages][request_history]") {
  for (const char* arguments : {"", "[]", "null", "\"{}\"", R"({"a":)"})
    CHECK(repaired({user("1"), answer("", {{"a", "get", arguments}}), result("a", "A")}) ==
          "user: 1 | assistant: <a get{}> | tool: a=A");
  CHECK(repaired({user("1"), answer("", {{"a", "get it", "{}"}}), result("a", "A")})
            .starts_with("user: 1 | assistant: <a get_it_"));
}

TEST_CASE("half a character in the arguments of an older call is none any more",
          "[messages][request_history]") {
  const messages history{user("hi"), answer("", {{"a", "get", R"({"x":"\ud83d"})", {}}}),
                         result("a", "ok")};
  CHECK(repaired(history) == "user: hi | assistant: <a get{\"x\":\"\xEF\xBF\xBD\"}> | tool: a=ok");
  const messages whole{user("hi"), answer("", {{"a", "get", R"({"x":"\ud83d\ude00"})", {}}}),
                       result("a", "ok")};
  CHECK_FALSE(request_history{whole, "", strict}.repaired());
}

TEST_CASE("images of results are shown by the user where results hold text only",
          "[messages][request_history]") {
  auto seen = result("a", "");
  seen.files = {{"image/png", "data:image/png;base64,AAAA", ""}};
  messages history{user("1"), answer("", {{"a", "get", "{}"}}), seen, user("2")};
  const request_history made{history, "", strict};
  CHECK(shown(made) == "user: 1 | assistant: <a get{}> | tool: a=(The result has no text.) | "
                       "assistant: (The images of these results follow.) | user: Images of the "
                       "result of a: | assistant: (No answer was given.) | user: 2");
  CHECK(made[4].files.size() == 1);
  CHECK(made.up_to_user() == 7);
}

TEST_CASE("the beginning of a history is sent in the same way as it grows",
          "[messages][request_history]") {
  messages history{answer("Hello"), user("1"), user("2"),
                   answer(""),      user("3"), answer("", {{"a", "get", "{}"}}),
                   answer("x"),     user("4"), answer("y")};
  auto before = repaired({history.begin(), history.begin() + 6});
  auto after = repaired(history);
  CHECK(after.starts_with(before));
}

} // namespace request_history_test

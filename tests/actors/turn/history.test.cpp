#include "actors/turn/history.hpp"

#include "tests/support/catch.hpp"

namespace history_test {

using namespace troupe;

namespace {

chat_message assistant(std::vector<tool_call> calls) {
  return {role::assistant, "", {}, std::move(calls), {}};
}

chat_message result(const std::string& id, const std::string& text) {
  return {role::tool, text, {}, {}, id};
}

} // namespace

TEST_CASE("a call without a result gets one that gives the reason", "[actors][history]") {
  std::vector<chat_message> history{assistant({{"a", "f", "{}"}, {"b", "g", "{}"}}),
                                    result("b", "B")};
  repair_history(history, "why");
  REQUIRE(history.size() == 3);
  CHECK(history[1].tool_call_id == "a");
  CHECK(history[1].text == "why");
  CHECK(history[2].text == "B");
}

TEST_CASE("a result without a call, or a second one, is dropped", "[actors][history]") {
  std::vector<chat_message> history{result("x", "stray"), assistant({{"a", "f", "{}"}}),
                                    result("a", "first"), result("a", "second")};
  repair_history(history);
  REQUIRE(history.size() == 2);
  CHECK(history[1].text == "first");
}

TEST_CASE("arguments that are no JSON object become an empty one", "[actors][history]") {
  std::vector<chat_message> history{assistant({{"a", "f", "{\"x\":"}}), result("a", "r")};
  repair_history(history);
  CHECK(history[0].tool_calls[0].arguments == "{}");
}

TEST_CASE("a history without tools is left as it is", "[actors][history]") {
  std::vector<chat_message> history{{role::user, "a", {}, {}, {}}, {role::user, "b", {}, {}, {}}};
  repair_history(history);
  REQUIRE(history.size() == 2);
  CHECK(history[1].text == "b");
}

TEST_CASE("answers and results that say nothing, and names that are none, are repaired",
          "[actors][history]") {
  auto call = assistant({{"a", "not a name", "{}"}});
  std::vector<chat_message> history{{role::assistant, " \n", {}, {}, {}}, call, result("a", "")};
  repair_history(history);
  REQUIRE(history.size() == 2);
  CHECK(history[0].tool_calls[0].name.find(' ') == std::string::npos);
  CHECK(history[1].text == "(The tool returned nothing.)");
}

TEST_CASE("a repair says how many messages at the beginning it has left alone",
          "[actors][history]") {
  auto calls = assistant({{"a", "f", "{}"}, {"b", "g", "{}"}});
  chat_message user{role::user, "hi", {}, {}, {}};
  const std::vector<std::pair<std::vector<chat_message>, size_t>> cases{
      {{user, user}, 2},
      {{user, calls, result("a", "A"), result("b", "B"), user}, 5},
      {{user, calls, result("a", "A"), user}, 3},
      {{user, calls, result("a", "A")}, 3},
      {{user, calls, result("b", "B"), result("a", "A")}, 2},
      {{user, calls, result("a", "A"), result("b", ""), user}, 3},
      {{user, calls, result("a", "A"), result("b", "B"), result("b", "C"), user}, 4},
      {{user, assistant({{"a", "f", "["}}), result("a", "A")}, 1},
      {{user, assistant({{"a", "not a name", "{}"}}), result("a", "A")}, 1},
      {{user, result("x", "stray"), user, user}, 1},
      {{user, calls, result("a", "A"), result("b", "B"), assistant({})}, 4},
      {{result("x", "stray")}, 0},
  };
  for (const auto& [before, expected] : cases) {
    auto history = before;
    auto same = repair_history(history);
    CHECK(same == expected);
    REQUIRE(same <= history.size());
    for (size_t i = 0; i < same; ++i)
      CHECK(history[i] == before[i]);
    CHECK(repair_history(history) == history.size());
  }
}

TEST_CASE("calls are open at the end of a history until they have a result", "[actors][history]") {
  std::vector<chat_message> history{{role::user, "hi", {}, {}, {}}};
  CHECK(last_calls(history) == nullptr);
  CHECK(open_calls(history).empty());
  CHECK(open_calls({}).empty());
  history.push_back(assistant({{"a", "f", "{}"}, {"b", "g", "{}"}}));
  CHECK(last_calls(history) == &history[1]);
  CHECK(open_calls(history).size() == 2);
  history.push_back(result("a", "A"));
  REQUIRE(open_calls(history).size() == 1);
  CHECK(open_calls(history)[0].id == "b");
  CHECK(last_calls(history) == &history[1]);
  history.push_back({role::user, "go on", {}, {}, {}});
  CHECK(last_calls(history) == nullptr);
  CHECK(open_calls(history).empty());
}

} // namespace history_test

// What is kept of a turn is what its client was shown.
#include <string>
#include <vector>

#include "actors/turn/approval_book.hpp"
#include "actors/turn/turn.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_shown_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class shown_turn : public turn_fixture {
public:
  shown_turn() { tools.tools.insert(tools.tools.begin() + 1, {"mine", "", "{}", "", ""}); }

  /// Returns the parts of the answer as a page gets them, one in a line.
  std::string parts() const {
    conversation what;
    for (const auto& each : history)
      what.messages.push_back({each, 1});
    auto json = ui_conversation_json(what);
    const auto from = json.find(R"("parts":[)", json.find(R"("id":"m")"));
    if (json.find(R"("id":"m")") == json.npos)
      return "no answer";
    auto all = json.substr(from + 9, json.find(R"(}],"lastTurn")", from) - from - 10);
    for (auto at = all.find("},{\"type\""); at != all.npos; at = all.find("},{\"type\"", at))
      all.replace(at + 1, 1, "\n");
    return all;
  }

  static std::vector<event> join(std::vector<event> first, std::vector<event> then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  }

  static void stream(turn& t, std::vector<event> events) {
    model_output output;
    output.events = std::move(events);
    t.on_model(output);
  }
};

const std::string step = R"({"type":"step-start"})";

std::string called(const std::string& name, const std::string& id) {
  return R"({"type":"dynamic-tool","toolName":")" + name + R"(","toolCallId":")" + id + "\",";
}

std::string error(const std::string& input, const std::string& text) {
  return R"("state":"output-error","input":)" + input + R"(,"errorText":")" + text + "\"}";
}

} // namespace

TEST_CASE_METHOD(shown_turn, "a plain answer keeps nothing but its text", "[actors][turn_shown]") {
  auto t = make();
  answer(t, {reasoning_delta{"hm"}, text_delta{"a"}, text_delta{"b"}});
  REQUIRE(history.size() == 2);
  CHECK(history[0].shown.empty());
  CHECK(history[1].shown.empty());
  CHECK(t.take_changed() == SIZE_MAX);
}

TEST_CASE_METHOD(shown_turn, "a failed call keeps its state", "[actors][turn_shown]") {
  auto t = make();
  SECTION("its server says so") {
    answer(t, call("a", "echo"));
    t.on_tool_outcome({"a", errc::tool_failed, "disk is full", {}});
    CHECK(parts() == step + '\n' + called("echo", "a") + error("{}", "disk is full"));
  }
  SECTION("nobody has the tool, whose name no provider takes") {
    answer(t, call("a", "no such tool", R"({"x":1})"));
    CHECK(parts() == step + '\n' + called("no such tool", "a") +
                         error(R"({"x":1})", "There is no tool called no such tool."));
  }
  SECTION("its arguments are no JSON") {
    answer(t, call("a", "echo", "{oops"));
    CHECK(parts() == step + '\n' + called("echo", "a") +
                         error(R"("{oops")", "The arguments of echo are not a JSON object."));
  }
  SECTION("it took too long") {
    limits.tool_timeout = std::chrono::milliseconds{5};
    auto late = make();
    answer(late, call("a", "echo"));
    now += std::chrono::seconds{1};
    CHECK(late.expire().size() == 1);
    CHECK(parts() ==
          step + '\n' + called("echo", "a") + error("{}", "The tool did not answer within 5 ms."));
  }
  SECTION("the turn is aborted while it runs") {
    answer(t, call("a", "echo"));
    t.abort("stop");
    CHECK(parts() == step + '\n' + called("echo", "a") +
                         error("{}", "The turn was aborted before the tool had answered.") + '\n' +
                         step + '\n' + R"({"type":"data-abort","data":{"reason":"stop"}})");
  }
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(shown_turn, "an output is kept as the server gave it", "[actors][turn_shown]") {
  auto t = make();
  answer(t, call("a", "echo"));
  const std::string output =
      R"({"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1}})";
  t.on_tool_outcome({"a", errc::none, "1", {output}});
  CHECK(parts() == step + '\n' + called("echo", "a") +
                       R"("state":"output-available","input":{},"output":)" + output + "}");
}

TEST_CASE_METHOD(shown_turn, "a call of the client's has its name in the type",
                 "[actors][turn_shown]") {
  auto t = make();
  answer(t, call("a", "mine", R"({"x":1})"));
  CHECK(parts() ==
        step + '\n' +
            R"({"type":"tool-mine","toolCallId":"a","state":"input-available","input":{"x":1}})");
}

TEST_CASE_METHOD(shown_turn, "parts of a step keep their order", "[actors][turn_shown]") {
  auto t = make();
  auto events = join({text_delta{"a"}, reasoning_delta{"b"}}, call("x", "echo"));
  events.emplace_back(text_delta{"c"});
  answer(t, events);
  t.on_tool_outcome({"x", errc::none, "1", {R"({"content":[{"type":"text","text":"1"}]})"}});
  answer(t, {reasoning_delta{"d"}, text_delta{"e"}});
  CHECK(
      parts() ==
      step + '\n' + R"({"type":"text","text":"a","state":"done"})" + '\n' +
          R"({"type":"reasoning","id":"2","text":"b","state":"done"})" + '\n' +
          called("echo", "x") +
          R"("state":"output-available","input":{},"output":{"content":[{"type":"text","text":"1"}]}})" +
          '\n' + R"({"type":"text","text":"c","state":"done"})" + '\n' + step + '\n' +
          R"({"type":"reasoning","id":"4","text":"d","state":"done"})" + '\n' +
          R"({"type":"text","text":"e","state":"done"})");
}

TEST_CASE_METHOD(shown_turn, "an answer that says nothing to a model is kept with the question",
                 "[actors][turn_shown]") {
  auto t = make();
  SECTION("it thinks only") {
    answer(t, {reasoning_delta{"hm"}}, finish_reason::length);
    CHECK(parts() == step + '\n' + R"({"type":"reasoning","text":"hm","id":"1","state":"done"})");
  }
  SECTION("it is empty") {
    answer(t, {});
    CHECK(parts() == step);
  }
  SECTION("it is blank") {
    answer(t, {text_delta{" \n"}});
    CHECK(parts() == step + '\n' + R"({"type":"text","text":" \n","state":"done"})");
  }
  SECTION("it failed") {
    t.fail({errc::model_failed, "no"});
    CHECK(parts() == step);
  }
  SECTION("its only call never was one") {
    stream(t, {tool_args_start{"a", "echo"}, tool_args_delta{"a", "{"}});
    t.abort("stop");
    CHECK(parts() == step + '\n' + called("echo", "a") +
                         error(R"("")", "The turn was aborted before the tool had answered.") +
                         '\n' + step + '\n' + R"({"type":"data-abort","data":{"reason":"stop"}})");
  }
  CHECK(history.size() == 1);
  CHECK(t.take_changed() == 0);
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(shown_turn, "of a turn that is stopped before its answer nothing is shown",
                 "[actors][turn_shown]") {
  auto t = make();
  t.abort("stop");
  CHECK(parts() == "no answer");
  CHECK(history[0].shown.empty());
}

TEST_CASE_METHOD(shown_turn, "a turn that ends on calls has one more step",
                 "[actors][turn_shown]") {
  auto t = make(1);
  answer(t, call("a", "echo"));
  t.on_tool_outcome({"a", errc::none, "1", {"{}"}});
  answer(t, call("b", "echo"));
  REQUIRE(t.over());
  CHECK(parts().ends_with(
      step + '\n' +
      R"({"type":"data-limit","data":{"finishReason":"tool-calls","roundtrips":1}})"));
  CHECK(history.back().who == role::tool);
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(shown_turn, "an approval is kept with its answer", "[actors][turn_shown]") {
  options.approve_all = options.approval_ends_turn = true;
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "echo")}));
  REQUIRE(t.over());
  approval_book book;
  book.keep(t.take_asking());
  const auto asked = history.back().tool_calls;
  const std::vector<tool_approval> answers{{asked[0].approval.id, true, ""},
                                           {asked[1].approval.id, false, "not \"now\""}};
  auto resumed = book.answered(answers, open_calls(history), now);
  repair_history(history, restarted_text);
  book.clear(history);
  auto more = make(-1, resumed);
  more.on_tool_outcome({"a", errc::none, "1", {R"({"content":[{"type":"text","text":"1"}]})"}});
  answer(more, {reasoning_delta{"hm"}, text_delta{"ok"}});
  CHECK(
      parts() ==
      step + '\n' + called("echo", "a") +
          R"("state":"output-available","input":{},"output":{"content":[{"type":"text","text":"1"}]},)" +
          R"("approval":{"id":")" + asked[0].approval.id + R"(","approved":true}})" + '\n' +
          called("echo", "b") + R"("state":"output-denied","input":{},"approval":{"id":")" +
          asked[1].approval.id + R"(","approved":false,"reason":"not \"now\""}})" + '\n' + step +
          '\n' + R"({"type":"reasoning","text":"hm","id":"1","state":"done"})" + '\n' +
          R"({"type":"text","text":"ok","state":"done"})");
}

TEST_CASE_METHOD(shown_turn, "an approved call that never ends has its error in its own step",
                 "[actors][turn_shown]") {
  options.approve_all = options.approval_ends_turn = true;
  auto t = make();
  answer(t, call("a", "echo"));
  REQUIRE(t.over());
  approval_book book;
  book.keep(t.take_asking());
  const auto id = history.back().tool_calls[0].approval.id;
  auto resumed = book.answered({{id, true, ""}}, open_calls(history), now);
  repair_history(history, restarted_text);
  book.clear(history);
  auto more = make(-1, resumed);
  const auto shown = [&](const std::string& text) {
    return step + '\n' + called("echo", "a") +
           R"("state":"output-error","input":{},"errorText":")" + text + R"(","approval":{"id":")" +
           id + R"(","approved":true}})" + '\n' + step;
  };
  SECTION("the turn is aborted") {
    more.abort("stop");
    CHECK(parts() == shown("The turn was aborted before the tool had answered.") + '\n' +
                         R"({"type":"data-abort","data":{"reason":"stop"}})");
  }
  SECTION("the turn fails") {
    more.fail({errc::store_failed, "no disk"});
    CHECK(parts() == shown("no disk"));
  }
}

} // namespace turn_shown_test

// Calls of a turn that wait for the client's approval.
#include "actors/turn/turn.hpp"
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_approvals_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class with_approvals : public turn_fixture {
public:
  with_approvals() { limits.approval.tools = {"two/add"}; }
};

} // namespace

TEST_CASE_METHOD(with_approvals, "a call that needs an approval waits for it, the others run",
                 "[actors][turn]") {
  auto t = make();
  answer(t, calls({call("a", "sum", R"({"x":1})"), call("b", "echo")}));
  auto started = t.take_calls();
  REQUIRE(started.size() == 1);
  CHECK(started[0].tool_call_id == "b");
  auto asked = last<tool_approval_request>(t.take_events());
  CHECK(asked.tool_call_id == "a");
  CHECK(asked.tool_name == "sum");
  CHECK(asked.arguments.text == R"({"x":1})");
  CHECK(asked.timeout_ms == 300'000);
  CHECK(asked.approval_id.size() > 20);
  t.on_tool_outcome({"b", errc::none, "B", {}});
  CHECK(t.state_now() == turn::state::calling);
  SECTION("and runs when it is given, once") {
    t.on_approvals({{asked.approval_id, true, ""}, {asked.approval_id, false, ""}});
    t.on_approvals({{asked.approval_id, true, ""}});
    started = t.take_calls();
    REQUIRE(started.size() == 1);
    CHECK(started[0].tool == "add");
    t.on_tool_outcome({"a", errc::none, "A", {}});
    CHECK(history[2].text == "A");
  }
  SECTION("and is refused when it is not") {
    t.on_approvals({{"appr_guessed", true, ""}, {asked.approval_id, false, "Too dear."}});
    CHECK(t.take_calls().empty());
    auto error = last<mcp_tool_error>(t.take_events());
    CHECK(error.error == errc::tool_denied);
    CHECK(error.error_text == "The user did not allow the call. Too dear.");
    CHECK(history[2].text == error.error_text);
  }
  SECTION("and is refused when nobody answers in time") {
    CHECK(t.next_due() == now + 5min);
    now += 5min - 1ms;
    CHECK(t.expire().empty());
    CHECK(t.state_now() == turn::state::calling);
    now += 1ms;
    CHECK(t.expire().empty());
    CHECK(last<mcp_tool_error>(t.take_events()).error == errc::tool_denied);
  }
  CHECK(t.round() == 1);
  CHECK(history[3].text == "B");
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(with_approvals, "a whole server, everything, or a turn's own wish can need one",
                 "[actors][turn]") {
  limits.approval.tools.clear();
  SECTION("server") {
    limits.approval.tools = {"two/*"};
  }
  SECTION("everything") {
    limits.approval.always = true;
  }
  SECTION("wish") {
    options.approve_all = true;
  }
  auto t = make();
  answer(t, call("a", "sum"));
  CHECK(t.take_calls().empty());
  CHECK(last<tool_approval_request>(t.take_events()).tool_call_id == "a");
}

TEST_CASE_METHOD(with_approvals,
                 "an approval that the client gives with its next turn ends this one",
                 "[actors][turn]") {
  options.approval_ends_turn = true;
  auto t = make();
  answer(t, calls({call("a", "sum"), call("b", "echo")}));
  CHECK_FALSE(t.over());
  t.on_tool_outcome({"b", errc::none, "B", {}});
  REQUIRE(t.over());
  CHECK(last<session_end>(t.take_events()).reason == finish_reason::tool_calls);
  auto asking = t.take_asking();
  REQUIRE(asking.size() == 1);
  CHECK(asking[0].call.id == "a");
  CHECK(t.take_asking().empty());
  repair_history(history);
  CHECK(history[2].text == "The tool was not run.");
  t.take_calls();

  asking[0].stage = call_stage::planned;
  auto next = make(-1, asking);
  CHECK(names(next.take_events()) == strings{"SESSION_START", "MCP_TOOL_START"});
  CHECK_FALSE(next.take_model_request());
  REQUIRE(next.take_calls().size() == 1);
  SECTION("which runs it first") {
    next.on_tool_outcome({"a", errc::none, "A", {}});
    CHECK(names(next.take_events()) == strings{"MCP_TOOL_SUCCESS", "MODEL_RESPONSE_WAITING"});
    CHECK(next.take_model_request());
    CHECK(next.round() == 0);
    CHECK(history[2].text == "A");
    CHECK(history[3].text == "B");
  }
  SECTION("which may be aborted") {
    next.abort("client");
    CHECK(names(next.take_events()) == strings{"MCP_TOOL_ERROR", "ABORT", "SESSION_END"});
    CHECK(history[2].text == "The turn was aborted before the tool had answered.");
  }
  CHECK(history.size() == 4);
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(with_approvals,
                 "a tool that its server's entry approves asks only if the request wants it",
                 "[actors][turn]") {
  limits.approval.always = true;
  tools.tools[1].approved = true;
  SECTION("not by itself") {
    auto t = make();
    answer(t, calls({call("a", "sum"), call("b", "echo")}));
    auto started = t.take_calls();
    REQUIRE(started.size() == 1);
    CHECK(started[0].tool == "add");
  }
  SECTION("but when the request asks for all") {
    options.approve_all = true;
    auto t = make();
    answer(t, call("a", "sum"));
    CHECK(t.take_calls().empty());
  }
}

TEST_CASE_METHOD(with_approvals, "calls of tools that read only run where all others ask",
                 "[actors][turn]") {
  limits.approval = {};
  tools.tools[0].read_only = true; // echo
  tools.tools[1].approved = true;  // sum
  std::string asked = "none";
  SECTION("as configured, but for automatic approvals") {
    limits.approval.unless_read_only = true;
  }
  SECTION("as the request has it") {
    options.approve_unless_read_only = true;
    asked = "a";
  }
  SECTION("more than is configured") {
    limits.approval.tools = {"one/echo"};
    options.approve_unless_read_only = true;
    asked = "b";
  }
  auto t = make();
  answer(t, calls({call("a", "sum"), call("b", "echo")}));
  const auto started = t.take_calls();
  REQUIRE(started.size() == (asked == "none" ? 2 : asked == "b" ? 0 : 1));
  if (asked == "a")
    CHECK(started[0].tool_call_id == "b");
}

} // namespace turn_approvals_test

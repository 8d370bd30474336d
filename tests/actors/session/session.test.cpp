#include "actors/session/session.hpp"

#include <algorithm>

#include "messages/chat/tool_name.hpp"
#include "tests/actors/session/chat.hpp"

namespace session_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

size_t count(const strings& names, const std::string& which) {
  return static_cast<size_t>(std::count(names.begin(), names.end(), which));
}

} // namespace

TEST_CASE_METHOD(chat, "a plain turn streams the answer and ends once", "[actors][session]") {
  open();
  auto got = send("hi");
  CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING"});
  CHECK(contains(http.calls.at(0)->request.body, R"("content":"hi")"));
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(got->numbers == numbers_from_one(5));
  CHECK(http.calls.at(0)->cancelled);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(chat, "chained calls accumulate in what the model is sent", "[actors][session]") {
  open_tools({"echo", "sum"});
  open();
  auto got = send("go");
  CHECK(contains(http.calls.at(0)->request.body, R"("name":"echo")"));
  answer({call_chunk(0, "a", "echo", R"({"x":1})")});
  auto first = server().last("tools/call");
  CHECK(contains(first.json, R"("x":1)"));
  server().result(first.request_id, tool_answer("result A"));
  run();
  answer({call_chunk(0, "b", "sum", "{}")});
  server().result(server().last("tools/call").request_id, tool_answer("result B"));
  run();
  REQUIRE(http.calls.size() == 3);
  auto body = http.calls[2]->request.body;
  CHECK(body.find("result A") < body.find("result B"));
  CHECK(contains(body, "result B"));
  answer({text_chunk("done")});
  CHECK(got->names().back() == "SESSION_END");
  CHECK(count(got->names(), "MODEL_RESPONSE_WAITING") == 3);
  CHECK(count(got->names(), "MCP_TOOL_SUCCESS") == 2);
  CHECK(std::get<session_end>(got->events.back()).roundtrips == 2);
}

TEST_CASE_METHOD(chat, "parallel calls run at once and are told to the model in call order",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  send("go");
  answer({call_chunk(0, "a", "echo", "{}"), call_chunk(1, "b", "echo", "{}")});
  auto calls = all_sent(server(), "tools/call");
  REQUIRE(calls.size() == 2);
  server().result(calls[1].request_id, tool_answer("second"));
  run();
  CHECK(http.calls.size() == 1);
  server().result(calls[0].request_id, tool_answer("first"));
  run();
  REQUIRE(http.calls.size() == 2);
  const auto& body = http.calls[1]->request.body;
  CHECK(body.find("first") < body.find("second"));
}

TEST_CASE_METHOD(chat, "progress of a tool reaches the client before its result",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  auto id = server().last("tools/call").request_id;
  server().receive({R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
                    R"({"progressToken":)" +
                    std::to_string(id) + R"(,"progress":1,"total":4,"message":"half"}})"});
  run();
  CHECK(got->names().back() == "MCP_TOOL_PROGRESS");
  CHECK(std::get<mcp_tool_progress>(got->events.back()).message == "half");
}

TEST_CASE_METHOD(chat, "a client that leaves ends the exchange and the running call",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  SECTION("while the model answers") {
    auto got = send("go");
    http.calls.at(0)->head(200, "text/event-stream");
    http.calls.at(0)->bytes("data: " + text_chunk("par") + "\n\n");
    run();
    got->signal(response_signal::gone);
    run();
    CHECK(http.calls.at(0)->cancelled);
    CHECK(counts().running_turns == 0);
  }
  SECTION("while a tool runs") {
    auto got = send("go");
    answer({call_chunk(0, "a", "echo", "{}")});
    got->signal(response_signal::gone);
    run();
    auto cancelled = server().last("notifications/cancelled");
    CHECK(contains(cancelled.json, std::to_string(server().last("tools/call").request_id)));
    CHECK(ask<server_list>(tools, atom::status_v).active_flows == 0);
    CHECK(counts().running_turns == 0);
  }
  SECTION("before the turn began") {
    auto got = send(request("go"));
    sched().run_once(); // only the subscriber has run
    REQUIRE(got->signal);
    got->signal(response_signal::gone);
    run();
    CHECK(counts().running_turns == 0);
    CHECK(got->events.empty());
  }
}

TEST_CASE_METHOD(chat, "an abort through the hub ends the turn with ABORT and SESSION_END",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  self->send(hub, abort_turn{"s", "another turn", "stop"});
  run();
  CHECK(counts().running_turns == 1);
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  auto names = got->names();
  REQUIRE(names.size() > 3);
  CHECK(strings(names.end() - 3, names.end()) == strings{"MCP_TOOL_ERROR", "ABORT", "SESSION_END"});
  CHECK(server().last("notifications/cancelled").method == "notifications/cancelled");
  server().result(server().last("tools/call").request_id, tool_answer("late"));
  run();
  CHECK(got->names() == names);
}

TEST_CASE_METHOD(chat, "a second turn while one runs is refused and leaves the first alone",
                 "[actors][session]") {
  open();
  auto first = send("one");
  auto second = send("two");
  CHECK(second->refused.code == errc::session_busy);
  CHECK(second->events.empty());
  answer({text_chunk("hello")});
  CHECK(first->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "a client that was refused and leaves does not stop the other's turn",
                 "[actors][session]") {
  open();
  auto first = send("one");
  auto second = send(request("two"));
  sched().run_once();
  REQUIRE(second->signal);
  second->signal(response_signal::gone);
  run();
  CHECK(counts().running_turns == 1);
  answer({text_chunk("hello")});
  CHECK(first->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "the history carries over to the next turn, unless that replaces it",
                 "[actors][session]") {
  open();
  send("first question");
  answer({text_chunk("first answer")});
  send("second question");
  auto body = http.calls.at(1)->request.body;
  CHECK(contains(body, "first question"));
  CHECK(contains(body, "first answer"));
  CHECK(contains(body, "second question"));
  answer({text_chunk("second answer")});
  auto fresh = request("third question");
  fresh.replaces_history = true;
  send(std::move(fresh));
  run();
  body = http.calls.at(2)->request.body;
  CHECK_FALSE(contains(body, "first"));
  CHECK_FALSE(contains(body, "second"));
  CHECK(contains(body, "third question"));
}

TEST_CASE_METHOD(chat, "the next turn after an abort has a result for each call",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  send("go");
  answer({call_chunk(0, "a", "echo", "{}"), call_chunk(1, "b", "echo", "{}")});
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  send("again");
  const auto& body = http.calls.back()->request.body;
  CHECK(contains(body, R"("tool_call_id":"a")"));
  CHECK(contains(body, R"("tool_call_id":"b")"));
}

TEST_CASE_METHOD(chat, "the system prompt stands before a history that has none",
                 "[actors][session]") {
  settings.system_prompt = "be brief";
  open();
  send("hi");
  answer({text_chunk("a")});
  send("more");
  const auto& body = http.calls.back()->request.body;
  CHECK(contains(body, "be brief"));
  CHECK(body.find("be brief") == body.rfind("be brief"));
}

TEST_CASE_METHOD(chat, "a model that is not configured is refused with the names of those that are",
                 "[actors][session]") {
  open();
  auto ask_for = request("hi");
  ask_for.options.model = "nope";
  auto got = send(std::move(ask_for));
  run();
  CHECK(got->refused.code == errc::model_unknown);
  CHECK(contains(got->refused.message, "nope"));
  CHECK(contains(got->refused.message, "default"));
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(chat, "each tool call gets an error when the MCP hub is gone",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  SECTION("while the call runs") {
    sys.registry().erase(mcp_hub_name);
    crash(*this, tools, caf::exit_reason::unknown);
    CHECK(count(got->names(), "MCP_TOOL_ERROR") == 1);
  }
  SECTION("before the next call") {
    server().result(server().last("tools/call").request_id, tool_answer("ok"));
    run();
    sys.registry().erase(mcp_hub_name);
    answer({call_chunk(0, "b", "echo", "{}")});
    REQUIRE(count(got->names(), "MCP_TOOL_ERROR") == 1);
    CHECK(http.calls.size() == 3);
  }
  answer({text_chunk("sorry")});
  CHECK(got->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(chat,
                 "a tool whose name no provider takes is known to model and client by its own",
                 "[actors][session]") {
  open_tools({"погода", "новости"});
  open();
  auto got = send("go");
  const auto& body = http.calls.back()->request.body;
  const std::string name = model_tool_name("погода");
  CHECK(contains(body, "\"name\":\"" + name +
                           R"(","description":"\"погода\" of the MCP server \"one\"","parameters":)"
                           R"({"type":"object","properties":{}}})"));
  CHECK(contains(body, R"("description":"\"новости\" of the MCP server \"one\"")"));
  answer({call_chunk(0, "a", name, "{}")});
  for (const auto& each : got->events)
    if (const auto* start = std::get_if<tool_args_start>(&each))
      CHECK(start->title == "погода");
  CHECK(contains(server().last("tools/call").json, "погода"));
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
}

} // namespace session_test

// The background of a connection: lists, pings, what the server says, the diary.
#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_events_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string everything =
    R"("tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{})";

std::string note(const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","method":"notifications/)" + method + R"(","params":)" + params + "}";
}

std::string resources(const std::string& name, const std::string& cursor = "") {
  return R"({"resources":[{"uri":"a:)" + name + R"(","name":")" + name + R"("}])" +
         (cursor.empty() ? "" : R"(,"nextCursor":")" + cursor + '"') + "}";
}

const std::string templates = R"({"resourceTemplates":[{"uriTemplate":"a:{x}","name":"t"}]})";
const std::string prompts = R"({"prompts":[{"name":"p"}]})";

} // namespace

TEST_CASE_METHOD(mcp_connection_fixture, "a connection says who the server is and what it can do",
                 "[actors][mcp_connection]") {
  config.type = "http";
  open();
  link().signal(mcp_signal::opened);
  advance(300ms);
  result_of("initialize", initialize_answer_with(everything));
  result_of("tools/list", tools_page({}));
  CHECK(status.type == "http");
  CHECK(status.server_name == "fake");
  CHECK(status.server_title == "A fake");
  CHECK(status.instructions == "be nice");
  CHECK(status.capabilities.resources_subscribe);
  CHECK_FALSE(status.capabilities.tasks);
  CHECK(status.connect_ms == 300);
  CHECK(contains(diary(), "connecting over http\ninitialized: fake 1, revision 2025-11-25\n"
                          "connected in 300 ms with 0 tools\n"));
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a server is usable before its resources and prompts are listed",
                 "[actors][mcp_connection]") {
  connect_with(everything, tools_page({"echo"}));
  CHECK(status.phase == server_phase::connected);
  call(1);
  result_of("tools/call", tool_answer("quick"));
  CHECK(outcomes.size() == 1);
  result_of("prompts/list", prompts);
  CHECK(status.prompts->prompts.size() == 1);
  result_of("resources/list", resources("1", "more"));
  CHECK(status.resources->resources.empty()); // not by halves
  result_of("resources/list", resources("2"));
  CHECK(status.resources->resources.size() == 2);
  result_of("resources/templates/list", templates);
  CHECK(status.resources->resources.size() == 2);
  CHECK(status.resources->templates.size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a list that fails in the background is a line in the diary",
                 "[actors][mcp_connection]") {
  connect_with(everything);
  refusal_of("resources/templates/list", -32601, "unknown method");
  result_of("prompts/list", R"({"prompts":"none"})");
  advance(10s); // resources/list is not answered
  CHECK(status.phase == server_phase::connected);
  CHECK(contains(diary(), "resources/templates/list was refused: unknown method"));
  CHECK(contains(diary(), "prompts/list"));
  CHECK(contains(diary(), "resources/list was not answered within 10000 ms"));
  CHECK(all_sent(link(), "notifications/cancelled").empty());
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a change is followed also where the server did not announce changes",
                 "[actors][mcp_connection]") {
  connect();
  receive(note("prompts/list_changed"));
  receive(note("resources/list_changed"));
  advance(100ms);
  result_of("prompts/list", prompts);
  result_of("resources/list", resources("1"));
  CHECK(status.prompts->prompts.size() == 1);
  CHECK(status.resources->resources.size() == 1);
  ask_server(1, "prompts/get", R"({"name":"p"})");
  CHECK(outcomes.empty());
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a storm of changes is one listing per 100 ms, then fewer, told when it differs",
                 "[actors][mcp_connection]") {
  connect({"a"});
  auto told = reports.size();
  for (int i = 0; i < 1000; ++i)
    link().receive({note("tools/list_changed")});
  run();
  advance(99ms);
  CHECK(all_sent(link(), "tools/list").size() == 1);
  advance(1ms);
  CHECK(all_sent(link(), "tools/list").size() == 2);
  result_of("tools/list", tools_page({"a"}));
  CHECK(reports.size() == told);
  receive(note("tools/list_changed"));
  advance(199ms);
  CHECK(all_sent(link(), "tools/list").size() == 2);
  advance(1ms);
  result_of("tools/list", tools_page({"b"}));
  CHECK(reports.size() == told + 1);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a storm is listed every two seconds, and quiet ends it",
                 "[actors][mcp_connection]") {
  connect({"a"});
  size_t lists = 1;
  auto wait = [&](std::chrono::milliseconds time) {
    advance(time);
    if (auto sent = all_sent(link(), "tools/list").size(); sent > std::exchange(lists, sent))
      result_of("tools/list", tools_page({"a"}));
  };
  for (int i = 0; i < 1000; ++i) { // 10 s
    receive(note("tools/list_changed"));
    wait(10ms);
  }
  CHECK(lists == 1 + 8);
  for (int i = 0; i < 500; ++i)
    wait(10ms);
  CHECK(lists == 1 + 9);
  receive(note("tools/list_changed"));
  wait(100ms);
  CHECK(lists == 1 + 10);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a later list of tools that fails leaves the old one",
                 "[actors][mcp_connection]") {
  connect({"a"});
  receive(note("tools/list_changed"));
  advance(100ms);
  result_of("tools/list", tools_page({"b"}, "loop"));
  result_of("tools/list", tools_page({"b"}, "loop"));
  CHECK(status.phase == server_phase::connected);
  CHECK(tools() == std::vector<std::string>{"a"});
  CHECK(contains(diary(), "repeats its cursor"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "what a server says reaches the hub as events",
                 "[actors][mcp_connection]") {
  connect();
  receive(note("message", R"({"level":"info","logger":"db","data":{"x":1}})"));
  receive(note("resources/updated", R"({"uri":"a:b"})"));
  receive(note("elicitation/complete", R"({"elicitationId":"e-1"})"));
  receive(note("message", "{}"));
  receive(note("resources/updated", "{}"));
  REQUIRE(events.size() == 3);
  CHECK(events[0].kind == "log");
  CHECK(events[0].server == "one");
  CHECK(events[0].data.text == R"({"server":"one","level":"info","logger":"db","data":{"x":1}})");
  CHECK(events[1].kind == "resourceUpdated");
  CHECK(events[1].data.text == R"({"server":"one","uri":"a:b"})");
  CHECK(events[2].kind == "elicitationComplete");
  CHECK(events[2].data.text == R"({"server":"one","elicitationId":"e-1"})");
}

TEST_CASE_METHOD(mcp_connection_fixture, "a flood of log messages is cut, and the cut is told",
                 "[actors][mcp_connection]") {
  connect();
  for (int i = 0; i < 150; ++i)
    link().receive({note("message", R"({"level":"info","data":"x"})")});
  run();
  CHECK(events.size() == 100);
  advance(1s);
  REQUIRE(events.size() == 101);
  CHECK(contains(events.back().data.text, "50 more log messages"));
  for (int i = 0; i < 150; ++i)
    link().receive({note("message", R"({"level":"info","data":"x"})")});
  run();
  CHECK(events.size() == 121);
}

// -- pings ---------------------------------------------------------------------------------------

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a silent connection is pinged, and dropped when it stays silent",
                 "[actors][mcp_connection]") {
  config.ping_interval = 3s;
  connect();
  advance(3s);
  REQUIRE(all_sent(link(), "ping").size() == 1);
  result_of("ping", "{}");
  advance(2s);
  receive(note("message", R"({"level":"info","data":1})"));
  advance(2s);
  CHECK(all_sent(link(), "ping").size() == 1);
  advance(1s);
  CHECK(all_sent(link(), "ping").size() == 2);
  advance(9s);
  CHECK(status.phase == server_phase::connected);
  CHECK(all_sent(link(), "ping").size() == 2);
  advance(1s);
  CHECK(status.error == errc::deadline_exceeded);
  CHECK(contains(status.error_text, "ping"));
  CHECK(mcp.links.front()->destroyed);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a ping that is refused was answered",
                 "[actors][mcp_connection]") {
  config.ping_interval = 3s;
  connect();
  advance(3s);
  refusal_of("ping", -32601, "what?");
  advance(11s);
  CHECK(all_sent(link(), "ping").size() == 2);
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture, "nothing is pinged without an interval",
                 "[actors][mcp_connection]") {
  connect();
  auto sent = link().sent.size();
  advance(60min);
  CHECK(link().sent.size() == sent);
}

} // namespace mcp_connection_events_test

// Calls that the server runs as tasks.
#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_tasks_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string tool_of(const std::string& name, const std::string& support) {
  return R"({"name":")" + name + R"(","inputSchema":{"type":"object"},"execution":)" +
         R"({"taskSupport":")" + support + R"("}})";
}

std::string task(const std::string& status, int poll_ms = 200) {
  return R"({"taskId":"t1","status":")" + status +
         R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",)" +
         R"("ttl":null,"pollInterval":)" + std::to_string(poll_ms) + "}";
}

class with_tasks : public mcp_connection_fixture {
public:
  with_tasks() {
    connect_with(R"("tools":{},"tasks":{"requests":{"tools":{"call":{}}}})",
                 R"({"tools":[)" + tool_of("must", "required") + ',' + tool_of("may", "optional") +
                     ',' + tool_of("never", "forbidden") + "]}");
  }

  /// Calls the tool that must run as a task, and lets the server make one.
  void begin(int poll_ms = 200) {
    call(1, "must");
    result_of("tools/call", R"({"task":)" + task("working", poll_ms) + "}");
  }

  size_t polls() { return all_sent(link(), "tasks/get").size(); }
};

} // namespace

TEST_CASE_METHOD(with_tasks, "a tool that has to be a task is polled and gives one outcome",
                 "[actors][mcp_connection]") {
  begin();
  auto created = link().last("tools/call");
  CHECK(contains(created.json, R"("task":{"ttl":100000})"));
  CHECK(polls() == 0);
  advance(200ms);
  CHECK(polls() == 1);
  CHECK(contains(link().last("tasks/get").json, R"("taskId":"t1")"));
  result_of("tasks/get", task("working"));
  receive(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
          std::to_string(created.request_id) + R"(,"progress":3}})");
  REQUIRE(progress.size() == 1);
  CHECK(progress[0].call == 1);
  advance(200ms);
  result_of("tasks/get", task("completed"));
  result_of("tasks/result", tool_answer("researched"));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 1);
  CHECK(outcomes[0].error == errc::none);
  CHECK(outcomes[0].text == "researched");
  advance(1min);
  CHECK(polls() == 2);
}

TEST_CASE_METHOD(with_tasks, "a tool is run as a task where it leaves the choice and is asked to",
                 "[actors][mcp_connection]") {
  call(1, "may");
  CHECK_FALSE(contains(link().last("tools/call").json, R"("task")"));
  call(2, "may", true);
  CHECK(contains(link().last("tools/call").json, R"("task")"));
  auto sent = link().sent.size();
  call(3, "never", true);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 3);
  CHECK(outcomes[0].error == errc::request_invalid);
  CHECK(link().sent.size() == sent);
}

TEST_CASE_METHOD(with_tasks, "a server that answers a task at once is believed",
                 "[actors][mcp_connection]") {
  call(1, "may", true);
  result_of("tools/call", tool_answer("done already"));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].text == "done already");
}

TEST_CASE_METHOD(with_tasks, "polls are never less than 50 ms apart", "[actors][mcp_connection]") {
  begin(1);
  advance(49ms);
  CHECK(polls() == 0);
  advance(1ms);
  CHECK(polls() == 1);
}

TEST_CASE_METHOD(with_tasks, "a task without a poll interval is polled every second",
                 "[actors][mcp_connection]") {
  begin(0);
  advance(999ms);
  CHECK(polls() == 0);
  advance(1ms);
  CHECK(polls() == 1);
}

TEST_CASE_METHOD(with_tasks, "a status notification makes a poll needless",
                 "[actors][mcp_connection]") {
  begin();
  receive(R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" +
          task("completed") + "}");
  CHECK(polls() == 0);
  result_of("tasks/result", tool_answer("told"));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].text == "told");
}

TEST_CASE_METHOD(with_tasks, "a task that needs input is asked for its result and polled on",
                 "[actors][mcp_connection]") {
  begin();
  advance(200ms);
  result_of("tasks/get", task("input_required"));
  CHECK(all_sent(link(), "tasks/result").size() == 1);
  advance(200ms);
  result_of("tasks/get", task("completed"));
  CHECK(all_sent(link(), "tasks/result").size() == 1); // the same one is still waited for
  result_of("tasks/result", tool_answer("thanks"));
  CHECK(outcomes.size() == 1);
}

TEST_CASE_METHOD(with_tasks, "a task that failed, was cancelled or is gone is an error",
                 "[actors][mcp_connection]") {
  begin();
  advance(200ms);
  SECTION("failed") {
    result_of("tasks/get", task("failed"));
    refusal_of("tasks/result", -32603, "it burnt");
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::server_refused);
    CHECK(contains(outcomes[0].text, "it burnt"));
  }
  SECTION("failed as tools fail") {
    result_of("tasks/get", task("failed"));
    result_of("tasks/result", tool_answer("no paper", true));
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::tool_failed);
    CHECK(outcomes[0].text == "no paper");
  }
  SECTION("cancelled by the server") {
    result_of("tasks/get", task("cancelled"));
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::tool_failed);
  }
  SECTION("gone") {
    refusal_of("tasks/get", -32602, "no such task");
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::server_refused);
  }
}

TEST_CASE_METHOD(with_tasks, "a task that answers polls lives on, but not for ever",
                 "[actors][mcp_connection]") {
  begin(4000);
  for (int i = 0; i < 24; ++i) {
    advance(4s);
    result_of("tasks/get", task("working", 4000));
  }
  CHECK(outcomes.empty());
  advance(4s);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
  CHECK(contains(link().last("tasks/cancel").json, R"("taskId":"t1")"));
}

TEST_CASE_METHOD(with_tasks, "a task whose polls are not answered times out",
                 "[actors][mcp_connection]") {
  begin();
  advance(10200ms);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
}

TEST_CASE_METHOD(with_tasks, "a task whose id comes after the call's time is cancelled by it",
                 "[actors][mcp_connection]") {
  call(1, "must");
  const auto asked = link().last("tools/call").request_id;
  advance(config.request_timeout + 1s);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
  link().result(asked, R"({"task":)" + task("working") + "}");
  run();
  CHECK(contains(link().last("tasks/cancel").json, R"("taskId":"t1")"));
}

TEST_CASE_METHOD(with_tasks, "a cancelled task is cancelled by its id, as soon as that is known",
                 "[actors][mcp_connection]") {
  SECTION("known") {
    begin();
    self->send(connection, server_cancel{1, "stop"});
    run();
  }
  SECTION("not yet known") {
    call(1, "must");
    self->send(connection, server_cancel{1, "stop"});
    run();
    CHECK(link().last("tasks/cancel").request_id == 0);
    result_of("tools/call", R"({"task":)" + task("working") + "}");
  }
  CHECK(contains(link().last("tasks/cancel").json, R"("taskId":"t1")"));
  CHECK(all_sent(link(), "notifications/cancelled").empty());
  result_of("tasks/cancel", task("cancelled"));
  advance(1min);
  CHECK(outcomes.empty());
  CHECK(polls() == 0);
}

TEST_CASE_METHOD(with_tasks, "a task is looked for again after the connection was lost",
                 "[actors][mcp_connection]") {
  begin();
  link().signal(mcp_signal::closed, errc::server_session_lost, "gone");
  run();
  CHECK(outcomes.empty());
  shake_hands_with(*this, link(), R"("tools":{},"tasks":{"requests":{"tools":{"call":{}}}})",
                   R"({"tools":[)" + tool_of("must", "required") + "]}");
  CHECK(all_sent(link(), "tools/call").empty());
  CHECK(polls() == 1);
  SECTION("it is still there") {
    result_of("tasks/get", task("completed"));
    result_of("tasks/result", tool_answer("kept"));
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].text == "kept");
  }
  SECTION("it is not") {
    refusal_of("tasks/get", -32602, "no such task");
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::outcome_unknown);
  }
}

TEST_CASE_METHOD(mcp_connection_fixture, "a server that runs no tasks is called plainly",
                 "[actors][mcp_connection]") {
  connect_with(R"("tools":{})", R"({"tools":[)" + tool_of("must", "required") + ',' +
                                    tool_of("may", "optional") + "]}");
  call(1, "must");
  CHECK_FALSE(contains(link().last("tools/call").json, R"("task")"));
  call(2, "may", true);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::capability_missing);
}

} // namespace mcp_connection_tasks_test

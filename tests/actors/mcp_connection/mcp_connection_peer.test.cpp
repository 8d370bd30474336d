// What a server asks of its client.
#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_peer_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string asked(const std::string& id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params +
         "}";
}

const std::string form =
    R"({"message":"Who?","requestedSchema":{"type":"object","properties":{}}})";
const std::string form_as_task =
    R"({"message":"Who?","task":{"ttl":60000},"requestedSchema":{"type":"object",)"
    R"("properties":{}}})";
const std::string sampling =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":10})";

/// Returns what stands behind "taskId":" in a text.
std::string task_id_in(const std::string& json) {
  auto at = json.find("\"taskId\":\"") + 10;
  return json.substr(at, json.find('"', at) - at);
}

class asking : public mcp_connection_fixture {
public:
  const std::string& answer() { return link().sent.back().json; }

  std::string begin_task() {
    receive(asked("1", "elicitation/create", form_as_task));
    return task_id_in(answer());
  }

  void of_task(const std::string& id, const std::string& method, const std::string& task_id) {
    receive(asked(id, method, R"({"taskId":")" + task_id + R"("})"));
  }
};

} // namespace

TEST_CASE_METHOD(asking, "what the configuration denies or lacks is not declared and not offered",
                 "[actors][mcp_connection]") {
  config.sampling = client_policy::deny;
  config.elicitation = client_policy::deny;
  connect();
  auto hello = link().last("initialize").json;
  for (const std::string capability : {"roots", "sampling", "elicitation", "tasks"})
    CHECK_FALSE(contains(hello, '"' + capability + '"'));
  for (const std::string method :
       {"roots/list", "sampling/createMessage", "elicitation/create", "tasks/list"}) {
    receive(asked("1", method, "{}"));
    CHECK(contains(answer(), "-32601"));
  }
  CHECK(asks.empty());
}

TEST_CASE_METHOD(asking, "roots are told", "[actors][mcp_connection]") {
  config.roots = {{"file:///home", "home"}};
  connect();
  CHECK(contains(link().last("initialize").json, "\"roots\""));
  receive(asked("\"r\"", "roots/list", "{}"));
  CHECK(answer() ==
        R"({"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///home","name":"home"}]}})");
}

TEST_CASE_METHOD(asking, "a server's question goes to the hub, and its answer back",
                 "[actors][mcp_connection]") {
  connect();
  receive(asked("\"q\"", "elicitation/create", form));
  receive(asked("9", "sampling/createMessage", sampling));
  REQUIRE(asks.size() == 2);
  CHECK(asks[0].server == "one");
  CHECK(asks[0].method == "elicitation/create");
  CHECK(asks[0].params.text == form);
  CHECK(asks[0].call == 0);
  self->send(connection, server_reply{asks[0].ask, {R"({"action":"decline"})"}, 0, ""});
  run();
  CHECK(answer() == R"({"jsonrpc":"2.0","id":"q","result":{"action":"decline"}})");
  self->send(connection, server_reply{asks[1].ask, {}, -1, "no model"});
  run();
  CHECK(answer() == R"({"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no model"}})");
  auto sent = link().sent.size();
  self->send(connection, server_reply{asks[1].ask, {"{}"}, 0, ""});
  run();
  CHECK(link().sent.size() == sent);
}

TEST_CASE_METHOD(asking, "a malformed question is refused with a reason",
                 "[actors][mcp_connection]") {
  connect();
  for (const std::string method : {"elicitation/create", "sampling/createMessage"}) {
    receive(asked("1", method, "[]"));
    CHECK(contains(answer(), "-32602"));
    receive(asked("2", method, R"({"message":5,"messages":"none"})"));
    CHECK(contains(answer(), "-32602"));
  }
  CHECK(asks.empty());
}

TEST_CASE_METHOD(asking, "a question is of the call on whose stream or task it comes",
                 "[actors][mcp_connection]") {
  connect();
  call(7);
  mcp_inbound in;
  in.channel = link().number;
  in.messages = {asked("1", "elicitation/create", form)};
  in.related = link().last("tools/call").request_id;
  link().deliver(mcp_inbound{in});
  run();
  REQUIRE(asks.size() == 1);
  CHECK(asks[0].call == 7);
  in.related = link().last("initialize").request_id;
  link().deliver(std::move(in));
  run();
  REQUIRE(asks.size() == 2);
  CHECK(asks[1].call == 0);
}

TEST_CASE_METHOD(asking, "a call is not silent while its server waits for our answer",
                 "[actors][mcp_connection]") {
  connect();
  call(7);
  receive(asked("\"q\"", "elicitation/create", form));
  for (int i = 0; i < 4; ++i)
    advance(9s);
  CHECK(outcomes.empty());
  self->send(connection, server_reply{asks[0].ask, {"{}"}, 0, ""});
  run();
  advance(9s);
  CHECK(outcomes.empty());
  advance(2s);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
}

TEST_CASE_METHOD(asking, "a question that the server takes back is over",
                 "[actors][mcp_connection]") {
  connect();
  receive(asked("\"q\"", "elicitation/create", form));
  receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}})");
  REQUIRE(asks_over.size() == 1);
  CHECK(asks_over[0].ask == asks[0].ask);
  auto sent = link().sent.size();
  self->send(connection, server_reply{asks[0].ask, {"{}"}, 0, ""});
  run();
  CHECK(link().sent.size() == sent);
}

TEST_CASE_METHOD(asking, "questions end with their connection", "[actors][mcp_connection]") {
  connect();
  receive(asked("1", "elicitation/create", form));
  begin_task();
  link().signal(mcp_signal::closed);
  run();
  CHECK(asks_over.size() == 2);
  self->send(connection, server_reply{asks[0].ask, {"{}"}, 0, ""});
  run(); // nobody is there to be answered
}

TEST_CASE_METHOD(asking, "more than 64 open questions are refused", "[actors][mcp_connection]") {
  connect();
  for (int i = 1; i <= 65; ++i)
    receive(asked(std::to_string(i), "elicitation/create", form));
  CHECK(asks.size() == 64);
  CHECK(contains(answer(), R"("id":65,"error")"));
  self->send(connection, server_reply{asks[0].ask, {"{}"}, 0, ""});
  run();
  receive(asked("66", "elicitation/create", form));
  CHECK(asks.size() == 65);
}

// -- as tasks ------------------------------------------------------------------------------------

TEST_CASE_METHOD(asking,
                 "a question as a task is answered with the task, and later with its result",
                 "[actors][mcp_connection]") {
  connect();
  auto id = begin_task();
  CHECK(contains(answer(), R"("id":1,"result":{"task":{"taskId":")"));
  CHECK(contains(answer(), R"("ttl":60000)"));
  REQUIRE(asks.size() == 1);
  of_task("2", "tasks/get", id);
  CHECK(contains(answer(), R"("status":"working")"));
  receive(asked("3", "tasks/list", "{}"));
  CHECK(contains(answer(), R"("tasks":[{"taskId":")" + id));
  auto sent = link().sent.size();
  of_task("4", "tasks/result", id);
  CHECK(link().sent.size() == sent); // it waits
  self->send(connection, server_reply{asks[0].ask, {R"({"action":"accept"})"}, 0, ""});
  run();
  REQUIRE(link().sent.size() == sent + 2);
  CHECK(contains(link().sent[sent].json, R"("id":4,"result":{"action":"accept")"));
  CHECK(contains(link().sent[sent].json, "related-task"));
  CHECK(link().sent[sent + 1].method == "notifications/tasks/status");
  CHECK(contains(link().sent[sent + 1].json, R"("status":"completed")"));
  of_task("5", "tasks/result", id);
  CHECK(contains(answer(), R"("id":5,"result":{"action":"accept")"));
}

TEST_CASE_METHOD(asking, "a task that fails gives its error", "[actors][mcp_connection]") {
  connect();
  auto id = begin_task();
  self->send(connection, server_reply{asks[0].ask, {}, -1, "declined"});
  run();
  of_task("2", "tasks/get", id);
  CHECK(contains(answer(), R"("status":"failed","statusMessage":"declined")"));
  of_task("3", "tasks/result", id);
  CHECK(contains(answer(), R"("code":-1,"message":"declined")"));
}

TEST_CASE_METHOD(asking, "a task that the server cancels is over for the hub, too",
                 "[actors][mcp_connection]") {
  connect();
  auto id = begin_task();
  of_task("2", "tasks/result", id);
  of_task("3", "tasks/cancel", id);
  CHECK(contains(answer(), R"("id":3,"result":{"taskId":")"));
  CHECK(contains(answer(), R"("status":"cancelled")"));
  CHECK(asks_over.size() == 1);
  CHECK(contains(link().sent.at(link().sent.size() - 3).json, R"("id":2,"error")"));
  of_task("4", "tasks/cancel", id);
  CHECK(contains(answer(), "-32602"));
  of_task("5", "tasks/get", "no such task");
  CHECK(contains(answer(), "-32602"));
  of_task("6", "tasks/update", id);
  CHECK(contains(answer(), "-32601"));
}

} // namespace mcp_connection_peer_test

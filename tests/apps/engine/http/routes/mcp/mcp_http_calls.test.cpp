// Tool calls over HTTP and through the library: progress, questions, cancelling, shutdown.
#include <atomic>
#include <future>

#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/mcp/web_mcp_server.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace mcp_http_calls_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string as_events = "Accept: text/event-stream\r\n";

/// Waits until so many calls hold a lease.
void wait_for_flows(engine& running, uint64_t count) {
  auto limit = std::chrono::steady_clock::now() + patience;
  while (running.status().active_flows != count)
    if (std::chrono::steady_clock::now() > limit)
      throw std::runtime_error{"the number of running calls is still another one"};
}

engine_config with(const mcp_server_config& server) {
  engine_config out;
  out.shards = 1;
  out.mcp_servers = {server};
  return out;
}

/// Returns the request id that an event carries.
std::string request_id_of(const std::string& data) {
  auto begin = data.find(R"("requestId":")") + 13;
  return data.substr(begin, data.find('"', begin) - begin);
}

} // namespace

TEST_CASE("a call as events brings each progress and then the result", "[apps][mcp]") {
  running_engine running{{demo_server_entry()}};
  auto answer = fetch(running.port(), "POST", "/v1/mcp/tools/call",
                      R"({"server":"demo","tool":"progress","arguments":{"steps":3}})", as_events);
  CHECK(answer.status == 200);
  CHECK(answer.head.find("text/event-stream") != std::string::npos);
  size_t at = 0;
  for (const auto* each :
       {"event: progress\ndata: {\"progress\":1,\"total\":3,",
        "event: progress\ndata: {\"progress\":2,", "event: progress\ndata: {\"progress\":3,",
        "event: result\ndata: {\"error\":null,\"text\":\"Took 3 steps.\""}) {
    INFO(each);
    auto found = answer.body.find(each, at);
    REQUIRE(found != std::string::npos);
    at = found + 1;
  }
  CHECK(answer.body.ends_with("}\n\n"));
}

TEST_CASE("a call as events that cannot begin is a status", "[apps][mcp]") {
  running_engine running{{}};
  auto answer = fetch(running.port(), "POST", "/v1/mcp/tools/call",
                      R"({"server":"nobody","tool":"x"})", as_events);
  CHECK(answer.status == 404);
  CHECK(answer.says(R"("code":"server_unknown")"));
}

TEST_CASE("a client that leaves takes its call back", "[apps][mcp]") {
  running_engine running{{demo_server_entry()}};
  for (const auto& fields : {std::string{}, as_events}) {
    raw_client client{running.port()};
    send_request(client, "POST", "/v1/mcp/tools/call", R"({"server":"demo","tool":"hang"})",
                 fields);
    wait_for_flows(*running.operator->(), 1);
    client.close();
    wait_for_flows(*running.operator->(), 0);
  }
}

TEST_CASE("a question of a server goes to the call that takes questions", "[apps][mcp]") {
  web_mcp_server web;
  running_engine running{{web.entry()}};
  raw_client client{running.port()};
  send_request(client, "POST", "/v1/mcp/tools/call",
               R"({"server":"web","tool":"ask","clientRequests":true})", as_events);
  client.read_until("event: clientRequest\n");
  auto data = client.read_until("\n\n");
  CHECK(data.find(R"("method":"elicitation/create")") != std::string::npos);
  auto path = "/v1/mcp/requests/" + request_id_of(data);
  auto wrong = fetch(running.port(), "POST", path, R"({"action":"accept","content":{"name":1}})");
  CHECK(wrong.status == 400);
  CHECK(fetch(running.port(), "POST", path, R"({"action":"accept","content":{"name":"Ada"}})")
            .status == 200);
  client.read_until("event: result\n");
  CHECK(client.read_until("\n\n").find("accept Ada") != std::string::npos);
  CHECK(fetch(running.port(), "POST", path, R"({"action":"decline"})").status == 404);
}

TEST_CASE("a question of a server goes to a watcher that takes questions", "[apps][mcp]") {
  web_mcp_server web;
  running_engine running{{web.entry()}};
  raw_client events{running.port()};
  send_request(events, "GET", "/v1/mcp/events?answers=true");
  events.read_until("events of MCP servers");
  // Its registration is under way; a change that it sees comes after it.
  fetch(running.port(), "PATCH", "/v1/mcp/servers/web", R"({"enabled":false})");
  events.read_until(R"("enabled":false)");
  fetch(running.port(), "PATCH", "/v1/mcp/servers/web", R"({"enabled":true})");
  running->wait_for_servers(patience);
  raw_client client{running.port()};
  send_request(client, "POST", "/v1/mcp/tools/call", R"({"server":"web","tool":"ask"})");
  events.read_until("event: clientRequest\n");
  auto path = "/v1/mcp/requests/" + request_id_of(events.read_until("\n\n"));
  CHECK(fetch(running.port(), "POST", path, R"({"action":"cancel"})").status == 200);
  CHECK(read_answer(client).says("cancel "));
  events.read_until("event: clientRequestOver\n");
}

TEST_CASE("a question that nobody takes is declined", "[apps][mcp]") {
  web_mcp_server web;
  running_engine running{{web.entry()}};
  auto answer =
      fetch(running.port(), "POST", "/v1/mcp/tools/call", R"({"server":"web","tool":"ask"})");
  CHECK(answer.says(R"("text":"decline ")"));
}

TEST_CASE("a thousand calls at once are each answered once", "[apps][mcp]") {
  constexpr size_t many = 1000;
  engine running{with(demo_server_entry())};
  running.wait_for_servers(patience);
  std::vector<std::atomic<int>> answers(many);
  std::atomic<size_t> left = many;
  std::promise<void> all;
  for (size_t i = 0; i < many; ++i) {
    auto text = std::to_string(i);
    call_tool call{"", "demo", "echo", R"({"message":")" + text + "\"}"};
    running.mcp().call_tool(call, [&, i, text](tool_result result) {
      answers[i] += result.text == "Echo: " + text ? 1 : 1000;
      if (--left == 0)
        all.set_value();
    });
  }
  REQUIRE(all.get_future().wait_for(patience) == std::future_status::ready);
  CHECK(std::all_of(answers.begin(), answers.end(), [](const auto& each) { return each == 1; }));
}

TEST_CASE("the library's call reports progress before it returns", "[apps][mcp]") {
  engine running{with(demo_server_entry())};
  running.wait_for_servers(patience);
  std::vector<double> reports;
  auto result = running.mcp().call_tool(
      {"", "demo", "progress", R"({"steps":4})"},
      [&](const tool_progress& report) { reports.push_back(report.progress); });
  CHECK_FALSE(result.error);
  CHECK(reports == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("a callback that throws disturbs no other call", "[apps][mcp]") {
  engine running{with(demo_server_entry())};
  running.wait_for_servers(patience);
  call_tool call{"", "demo", "echo", R"({"message":"hi"})"};
  running.mcp().call_tool(call, [](tool_result) { throw std::runtime_error{"mine"}; });
  CHECK(running.mcp().call_tool(call).text == "Echo: hi");
}

TEST_CASE("shutdown ends the calls that are left, and later ones fail at once", "[apps][mcp]") {
  engine running{with(demo_server_entry())};
  running.wait_for_servers(patience);
  std::promise<tool_result> hung;
  running.mcp().call_tool({"", "demo", "hang", "{}"},
                          [&](tool_result result) { hung.set_value(std::move(result)); });
  wait_for_flows(running, 1);
  auto waiting = std::async(std::launch::async, [&] {
    return running.mcp().call_tool({"", "demo", "hang", "{}"});
  });
  wait_for_flows(running, 2);
  running.shutdown(0ms);
  CHECK(hung.get_future().get().error.code == errc::shutting_down);
  CHECK(waiting.get().error.code == errc::shutting_down);
  CHECK(running.mcp().call_tool({"", "demo", "echo", "{}"}).error);
  CHECK(running.mcp().ask({"demo", "ping", {}}).error);
}

TEST_CASE("a watch hears of changes until it is destroyed", "[apps][mcp]") {
  engine running{with(demo_server_entry())};
  running.wait_for_servers(patience);
  mailbox<std::string> heard;
  auto watch = running.mcp().watch([&](const mcp_event& each) { heard.put(each.kind); });
  auto second = running.mcp().watch([](const mcp_event&) { throw std::runtime_error{"mine"}; });
  // The registration is under way: what it misses, the next change brings.
  do
    running.mcp().change_server("demo", server_verb::disable);
  while (running.mcp().change_server("demo", server_verb::enable) || heard.empty());
  CHECK_FALSE(heard.take().empty());
  watch.reset();
  second.reset();
  while (!heard.empty())
    heard.take();
  running.mcp().change_server("demo", server_verb::disable);
  running.mcp().change_server("demo", server_verb::enable);
  CHECK(heard.empty());
}

} // namespace mcp_http_calls_test

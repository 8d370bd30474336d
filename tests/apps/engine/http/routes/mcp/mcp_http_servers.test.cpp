// Servers that come, change and go while the engine runs.
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace mcp_http_servers_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string demo_json() {
  return R"({"command":")" + demo_server_entry().command + R"("})";
}

/// Reads events until one of a server says so.
void wait_for_health(raw_client& events, const std::string& name, const std::string& health) {
  for (;;) {
    events.read_until("event: server\n");
    auto data = events.read_until("\n\n");
    if (data.find(R"("name":")" + name + '"') != data.npos &&
        data.find(R"("health":")" + health + '"') != data.npos)
      return;
  }
}

} // namespace

TEST_CASE("a server is added, disabled, enabled and removed, whatever its name", "[apps][mcp]") {
  running_engine running{{}};
  auto port = running.port();
  const std::string path = "/v1/mcp/servers/a%2Fb%20%C3%A4%3F";
  const std::string name = "a/b \xC3\xA4?";
  raw_client events{port};
  send_request(events, "GET", "/v1/mcp/events");
  events.read_until("events of MCP servers");
  auto put = fetch(port, "PUT", path, demo_json());
  CHECK(put.status == 200);
  CHECK(put.says(R"("name":")" + name + '"'));
  wait_for_health(events, name, "success");
  CHECK(fetch(port, "POST", path + "/ping").status == 200);
  CHECK(fetch(port, "GET", "/v1/mcp/tools?server=a/b+%C3%A4%3F").says("get-sum"));

  auto off = fetch(port, "PATCH", path, R"({"enabled":false})");
  CHECK(off.says(R"("enabled":false)"));
  wait_for_health(events, name, "idle");
  CHECK(fetch(port, "POST", path + "/ping").status == 503);
  fetch(port, "PATCH", path, R"({"enabled":true})");
  wait_for_health(events, name, "success");

  auto gone = fetch(port, "DELETE", path);
  CHECK(gone.status == 200);
  CHECK(gone.body == "{}");
  events.read_until("event: serverRemoved\n");
  CHECK(fetch(port, "GET", path).status == 404);
  CHECK(fetch(port, "GET", "/v1/mcp/servers").body == R"({"servers":[],"activeFlows":0})");
}

TEST_CASE("the library adds, asks and removes, too", "[apps][mcp]") {
  engine_config config;
  config.shards = 1;
  engine running{config};
  auto& host = running.mcp();
  REQUIRE_FALSE(host.put_server(demo_server_entry()));
  CHECK(running.wait_for_servers(patience));
  REQUIRE(host.servers().size() == 1);
  CHECK(host.servers()[0].health == server_health::success);
  CHECK_FALSE(host.ask({"demo", "ping", {}}).error);
  CHECK(host.ask({"demo", "ping", {"["}}).error.code == errc::request_invalid);
  CHECK(host.get_prompt("demo", "p", {}).error.code == errc::capability_missing);
  CHECK(host.change_server("nobody", server_verb::retry).code == errc::server_unknown);
  REQUIRE_FALSE(host.change_server("demo", server_verb::remove));
  CHECK(host.servers().empty());
}

} // namespace mcp_http_servers_test

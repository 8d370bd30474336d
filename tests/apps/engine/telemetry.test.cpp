// What an engine shows its operator: /metrics and log lines.
#include <atomic>
#include <future>

#include "apps/engine/library/mcp_log.hpp"
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"

namespace telemetry_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A log that waits for its first line about an MCP server.
class awaited_log final : public log_port {
public:
  explicit awaited_log(log_level least) : least_{least} {}

  bool takes(log_level level) const override { return level >= least_; }

  void write(log_level, std::string_view what, std::string_view members) override {
    if (what == "mcp_server" && !seen_.exchange(true))
      first_.set_value(std::string{members});
  }

  std::string first() {
    auto line = first_.get_future();
    REQUIRE(line.wait_for(patience) == std::future_status::ready);
    return line.get();
  }

private:
  log_level least_;
  std::atomic<bool> seen_{false};
  std::promise<std::string> first_;
};

engine_config watched_by(const std::shared_ptr<log_port>& log) {
  engine_config config; // no model: the scripted ones answer
  config.shards = 1;
  config.log = log;
  return config;
}

bool holds(const std::string& text, const std::string& what) {
  UNSCOPED_INFO(text);
  return text.find(what) != std::string::npos;
}

mcp_event server_event(const std::string& health, const std::string& error = "null",
                       const std::string& enabled = "true") {
  return {"server",
          "files",
          {R"({"name":"files","enabled":)" + enabled + R"(,"health":")" + health +
           R"(","attempt":1,"tools":4,"protocolVersion":"2025-11-25","error":)" + error + "}"}};
}

} // namespace

TEST_CASE("GET /metrics is Prometheus text about everything", "[apps][telemetry]") {
  engine running{watched_by(nullptr)};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  auto answer = fetch(running.port(), "GET", "/metrics");
  CHECK(answer.status == 200);
  CHECK(holds(answer.head, "text/plain; version=0.0.4; charset=utf-8"));
  for (const auto* each :
       {"\ntroupe_turns_running 0\n", "\ntroupe_sessions 0\n", "\ntroupe_http_connections 1\n",
        "\ntroupe_mcp_active_flows 0\n", "\nprocess_cpu_seconds_total ",
        "\nprocess_resident_memory_bytes ", "\nprocess_open_fds ", "\nprocess_start_time_seconds ",
        "\ntroupe_build_info{version=\""})
    CHECK(holds(answer.body, each));
  CHECK(fetch(running.port(), "POST", "/metrics").status == 405);
}

TEST_CASE("an engine says when it begins, listens and ends", "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>(log_level::info);
  {
    engine running{watched_by(log)};
    REQUIRE_FALSE(running.listen("127.0.0.1:0"));
    auto port = std::to_string(running.port());
    REQUIRE(log->lines("start").size() == 1);
    CHECK(holds(log->lines("start")[0].members, R"("mcpServers":0)"));
    REQUIRE(log->lines("listening").size() == 1);
    CHECK(log->lines("listening")[0].members == R"("address":"127.0.0.1:0","port":)" + port);
    fetch(running.port(), "GET", "/nothing");
    CHECK(log->lines("request").empty());
  }
  auto phases = log->lines("shutdown");
  REQUIRE(phases.size() == 3);
  CHECK(holds(phases[0].members, R"("phase":"draining")"));
  CHECK(holds(phases[1].members, R"("phase":"disconnecting")"));
  CHECK(holds(phases[2].members, R"("phase":"done")"));
}

TEST_CASE("requests are lines of level debug, with their texts only if asked for",
          "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>();
  auto config = watched_by(log);
  config.logs.text = GENERATE(false, true);
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  fetch(running.port(), "POST", "/v1/sessions/a/turns", R"({"nope":"s3cret"})",
        "x-request-id: r1\r\nauthorization: Bearer t0ken\r\n");
  auto lines = log->lines("request");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == log_level::debug);
  CHECK(lines[0].members.find(
            R"("method":"POST","path":"/v1/sessions/a/turns","request":"r1","bodyBytes":17)") == 0);
  CHECK(holds(lines[0].members, R"("status":400,"firstByteMs":)"));
  CHECK(holds(lines[0].members, "s3cret") == config.logs.text);
  CHECK_FALSE(holds(lines[0].members, "t0ken"));
}

TEST_CASE("bodies that may hold secrets are in no line", "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>();
  auto config = watched_by(log);
  config.logs.text = true;
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  fetch(running.port(), "PUT", "/v1/mcp/servers/x", R"({"command":"true","env":{"A":"s3cret"}})");
  fetch(running.port(), "POST", "/v1/mcp/requests/r", R"({"content":{"password":"s3cret"}})");
  auto lines = log->lines("request");
  REQUIRE(lines.size() == 2);
  for (const auto& line : lines)
    CHECK_FALSE(holds(line.members, "s3cret"));
}

TEST_CASE("a server that connects is a line of the log", "[apps][telemetry]") {
  auto log = std::make_shared<awaited_log>(log_level::info);
  auto config = watched_by(log);
  config.mcp_servers = {demo_server_entry()};
  engine running{config};
  CHECK(holds(log->first(), R"("server":"demo","health":"success","tools":)"));
}

TEST_CASE("a server that fails is one at the level warning, too", "[apps][telemetry]") {
  auto log = std::make_shared<awaited_log>(log_level::warning);
  auto config = watched_by(log);
  config.mcp_servers = {demo_server_entry()};
  config.mcp_servers[0].command += "-that-is-not-there";
  engine running{config};
  CHECK(holds(log->first(), R"("error":"server_start_failed")"));
}

TEST_CASE("a server that is idle from the start is not said to be", "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>();
  const auto disabled = server_event("idle", "null", "false");
  mcp_log_writer(log)(disabled);
  CHECK(log->lines().empty());
  auto on_event = mcp_log_writer(log);
  on_event(server_event("connecting"));
  on_event(disabled); // before it was there
  REQUIRE(log->lines().size() == 1);
  CHECK(holds(log->lines()[0].members, R"("health":"idle")"));
}

TEST_CASE("a server that is connected anew is said to be connected, not idle",
          "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>();
  auto on_event = mcp_log_writer(log);
  for (const auto* health : {"success", "idle", "connecting", "success", "idle", "connecting"})
    on_event(server_event(health));
  REQUIRE(log->lines().size() == 2);
  CHECK(holds(log->lines()[1].members, R"("health":"success")"));
  on_event(server_event("idle", "null", "false"));
  REQUIRE(log->lines().size() == 3);
  CHECK(holds(log->lines()[2].members, R"("health":"idle")"));
}

TEST_CASE("a server's fate is said once for each change", "[apps][telemetry]") {
  auto log = std::make_shared<kept_log>();
  auto on_event = mcp_log_writer(log);
  const std::string lost = R"({"code":"server_lost","message":"it \"left\""})";
  on_event(server_event("connecting"));
  on_event(server_event("success"));
  on_event(server_event("success"));
  for (int i = 0; i < 3; ++i) {
    on_event(server_event("connecting", lost));
    on_event(server_event("error", lost));
  }
  on_event(server_event("error", R"({"code":"server_start_failed","message":"no"})"));
  on_event(server_event("success"));
  on_event({"log", "files", {"{}"}});
  on_event({"serverRemoved", "files", {R"({"name":"files"})"}});
  auto lines = log->lines("mcp_server");
  REQUIRE(lines.size() == 5);
  CHECK(log->lines().size() == 5);
  CHECK(lines[0].level == log_level::info);
  CHECK(lines[0].members ==
        R"("server":"files","health":"success","tools":4,"protocolVersion":"2025-11-25")");
  CHECK(lines[1].level == log_level::warning);
  CHECK(lines[1].members ==
        R"("server":"files","health":"error","error":"server_lost","message":"it \"left\"",)"
        R"("attempt":1)");
  CHECK(holds(lines[2].members, "server_start_failed"));
  CHECK(holds(lines[3].members, "success"));
  CHECK(holds(lines[4].members, R"("health":"removed")"));
}

} // namespace telemetry_test

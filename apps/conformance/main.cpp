// The client under test of @modelcontextprotocol/conformance: troupe-conformance URL.
//
// It is an ordinary engine with one MCP server. MCP_CONFORMANCE_SCENARIO names the scenario to run;
// the suite judges the same actors as in `troupe serve`.
#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/engine/engine.hpp"
#include "apps/engine/mcp_host.hpp"
#include "messages/errors.hpp"

namespace troupe::conformance {

namespace {

/// The key of the server under which the suite is configured.
constexpr const char* server_name = "conformance";

/// Runs a scenario to its end. @return request_invalid for a scenario that has no row
failure run(const std::string& scenario, mcp_host& host);

/// Returns the one server, or why it is not connected.
failure connected(mcp_host& host, server_status& out) {
  out = host.servers().at(0);
  if (out.health == server_health::success)
    return {};
  return {errc::server_unavailable, out.error_text.empty() ? "not connected" : out.error_text};
}

failure call(mcp_host& host, const std::string& tool, const std::string& arguments) {
  return host.call_tool(call_tool{"call", server_name, tool, arguments}).error;
}

failure initialize(mcp_host& host) {
  server_status server;
  return connected(host, server);
}

/// Calls every tool that the server offers with these arguments.
failure call_all(mcp_host& host, const std::string& arguments) {
  server_status server;
  if (auto bad = connected(host, server))
    return bad;
  if (server.offered->tools.empty())
    return {errc::server_protocol, "no tools were listed"};
  for (const auto& tool : server.offered->tools)
    if (auto bad = call(host, tool.name, arguments))
      return bad;
  return {};
}

failure add_numbers(mcp_host& host) {
  return call_all(host, R"({"a":5,"b":3})");
}

failure call_without_arguments(mcp_host& host) {
  return call_all(host, "{}");
}

/// Sends the schema of one tool back as an argument of the other, as it came.
failure echo_schema(mcp_host& host) {
  server_status server;
  if (auto bad = connected(host, server))
    return bad;
  for (const auto& tool : server.offered->tools)
    if (tool.name == "json_schema_2020_12_tool")
      return call(host, "json_schema_echo", R"({"schema":)" + tool.input_schema.text + '}');
  return {errc::server_protocol, "json_schema_2020_12_tool was not listed"};
}

struct scenario {
  std::string_view name;
  failure (*run)(mcp_host&);
};

constexpr std::array scenarios{
    scenario{"initialize", initialize},
    scenario{"tools_call", add_numbers},
    scenario{"elicitation-sep1034-client-defaults", call_without_arguments},
    scenario{"sse-retry", call_without_arguments},
    scenario{"json-schema-2020-12-preservation", echo_schema},
};

failure run(const std::string& name, mcp_host& host) {
  for (const auto& each : scenarios)
    if (each.name == name)
      return each.run(host);
  return {errc::request_invalid, fmt::format("there is no scenario '{}' here", name)};
}

} // namespace

} // namespace troupe::conformance

namespace {

using namespace troupe;

/// Less than the suite gives us in all.
constexpr std::chrono::seconds connect_limit{15};

engine_config config_for(const char* url) {
  engine_config config;
  config.shards = 1;
  mcp_server_config server;
  server.name = conformance::server_name;
  server.type = "http";
  server.url = url;
  server.roots = {{"file:///tmp", "tmp"}};
  server.sampling = client_policy::allow;
  server.elicitation = client_policy::allow;
  config.mcp_servers.push_back(std::move(server));
  return config;
}

int run(const std::string& scenario, const char* url) {
  engine running{config_for(url)};
  running.wait_for_servers(connect_limit);
  auto bad = conformance::run(scenario, running.mcp());
  running.shutdown(std::chrono::milliseconds{0});
  if (bad)
    fmt::print(stderr, "troupe-conformance: {}: {}\n", scenario, bad.text());
  return bad ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  const char* scenario = std::getenv("MCP_CONFORMANCE_SCENARIO");
  if (argc != 2 || scenario == nullptr) {
    fmt::print(stderr, "usage: MCP_CONFORMANCE_SCENARIO=NAME troupe-conformance URL\n");
    return 2;
  }
  return run(scenario, argv[1]);
}

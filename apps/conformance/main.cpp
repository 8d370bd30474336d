// The client under test of @modelcontextprotocol/conformance: troupe-conformance URL.
//
// It is an ordinary engine with one MCP server. MCP_CONFORMANCE_SCENARIO names the scenario to run;
// the suite judges the same actors as in `troupe serve`.
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "apps/conformance/scenarios.hpp"
#include "apps/engine/engine.hpp"

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

#include "apps/troupe/mcp/mcp_client.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/keys.hpp"

namespace troupe {

namespace {

/// How long resources and prompts may take, which are listed after the tools.
constexpr std::chrono::seconds list_limit{10};

std::string names_of(const engine_config& config) {
  std::string out;
  for (const auto& each : config.mcp_servers)
    out += ' ' + each.name;
  return out;
}

/// Drops all servers but `server`: no other one has to be started.
failure keep_only(const std::string& server, engine_config& config) {
  auto others = [&](const mcp_server_config& each) { return each.name != server; };
  auto& all = config.mcp_servers;
  if (std::all_of(all.begin(), all.end(), others))
    return {errc::server_unknown, fmt::format("there is no MCP server '{}'; configured are:{}",
                                              server, names_of(config))};
  std::erase_if(all, others);
  return {};
}

} // namespace

failure mcp_client::start() {
  if (options_.url.empty())
    return start_engine();
  server_.use(options_.url);
  return {};
}

void mcp_client::wait_for_lists() {
  if (auto* own = server_.own())
    own->wait_for_lists(list_limit);
}

failure mcp_client::start_engine() {
  engine_config config;
  if (auto bad = options_.engine.load(config))
    return bad;
  engine_options::print_notes(config);
  config.shards = 1;
  config.store = {}; // a running server may use the folder
  std::string key;
  if (auto bad = grant_own_key(config, key))
    return bad;
  if (config.mcp_servers.empty())
    fmt::print(stderr, "troupe: no MCP server is configured; name a file with --config, or a "
                       "running server with --server\n");
  if (!options_.server.empty())
    if (auto bad = keep_only(options_.server, config))
      return bad;
  return server_.start(std::make_unique<engine>(config), config, std::move(key));
}

} // namespace troupe

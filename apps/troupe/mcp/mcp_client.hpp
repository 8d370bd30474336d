// The server that the verbs of `troupe mcp` talk to: one that runs, or one of our own.
#pragma once

#include "apps/troupe/asked_server.hpp"
#include "apps/troupe/mcp/mcp_options.hpp"

namespace troupe {

/// Connects to the server. Without `--server` starts an engine with the configured MCP servers.
class mcp_client {
public:
  explicit mcp_client(const mcp_options& options) : options_{options} {}

  /// Connects, or starts the engine. @return config_invalid, request_invalid: a usage error
  failure start();

  /// Waits at most 10 s until the resources and prompts of an engine of its own are listed.
  void wait_for_lists();

  server_client& server() const noexcept { return server_.client(); }

private:
  failure start_engine();

  const mcp_options& options_;
  asked_server server_;
};

} // namespace troupe

// The server that the verbs of `troupe mcp` talk to: one that runs, or one of our own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apps/engine/engine.hpp"
#include "apps/troupe/mcp/mcp_options.hpp"
#include "apps/troupe/server_client.hpp"

namespace troupe {

/// Connects to the server. Without `--server` starts an engine with the configured MCP servers,
/// which listens on loopback: both ways use the same HTTP interface.
class mcp_client {
public:
  explicit mcp_client(const mcp_options& options) : options_{options} {}
  ~mcp_client();

  mcp_client(const mcp_client&) = delete;
  mcp_client& operator=(const mcp_client&) = delete;

  /// Connects, or starts the engine. @return config_invalid, request_invalid: a usage error
  failure start();

  /// Waits at most 10 s until the resources and prompts of an engine of its own are listed.
  void wait_for_lists();

  server_client& server() { return *server_; }

private:
  failure start_engine();

  const mcp_options& options_;
  std::unique_ptr<engine> engine_;
  std::unique_ptr<server_client> server_;
};

} // namespace troupe

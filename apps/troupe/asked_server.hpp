// The server that a command asks: one that runs, or an engine of its own.
#pragma once

#include <memory>
#include <string>

#include "apps/engine/engine.hpp"
#include "apps/troupe/server_client.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Both are asked over HTTP: an engine of this process listens on a port of loopback. Ends its
/// engine with itself. One thread.
class asked_server {
public:
  asked_server() = default;
  ~asked_server();

  asked_server(const asked_server&) = delete;
  asked_server& operator=(const asked_server&) = delete;

  /// Asks a running `troupe serve`.
  void use(const std::string& url) { client_ = std::make_unique<server_client>(url); }

  /// Has an engine listen, and waits for its MCP servers (see wait_for_servers()).
  /// @param config of the engine @param key that grant_own_key() has put there: every user of the
  /// machine can reach the port
  failure start(std::unique_ptr<engine> made, const engine_config& config, std::string key);

  /// Returns the way to it. After use() or start() only.
  server_client& client() const noexcept { return *client_; }

  /// Returns the engine of this process; nullptr if it is a server of others.
  engine* own() const noexcept { return engine_.get(); }

private:
  std::unique_ptr<engine> engine_;
  std::unique_ptr<server_client> client_;
};

} // namespace troupe

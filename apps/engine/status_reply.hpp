// Answers that need a word with the hubs first.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/ports.hpp"

namespace troupe {

/// GET /readyz: 200 when turns are accepted and every MCP server is connected or has failed once.
void spawn_ready_reply(caf::actor_system& system, std::shared_ptr<http_response> response);

/// GET /v1/status: sessions, turns, MCP servers with health, phase and last error.
void spawn_status_reply(caf::actor_system& system, std::shared_ptr<http_response> response);

} // namespace troupe

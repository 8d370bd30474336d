// One WebSocket of a client with all the turns that it runs and views.
#pragma once

#include <memory>
#include <string>

#include <caf/actor_system.hpp>

#include "messages/websocket_port.hpp"

namespace troupe {

/// What is known from the handshake, and goes with every turn of the connection.
struct ws_origin {
  std::string request_id;
  std::string traceparent;
};

/// Bounds of one connection.
struct ws_limits {
  size_t streams = 1000;                   ///< at once; one more closes it with 4429
  size_t bad_messages = 16;                ///< in a row; so many close it with 4400
  size_t backlog_bytes = size_t{16} << 20; ///< of messages not looked at; more closes with 1008
};

/// Serves the connection until it closes; then its turns are left, which aborts those that are not
/// resumable. Any thread.
void spawn_ws_connection(caf::actor_system& system, std::shared_ptr<websocket> socket,
                         ws_origin origin, ws_limits limits = {});

} // namespace troupe

// One WebSocket of a client with all the turns that it runs and views.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <caf/actor_system.hpp>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/ports/websocket_port.hpp"

namespace troupe {

/// Facts of the handshake that go with every turn of the connection.
struct ws_origin {
  std::string request_id;
  std::string traceparent;
  principal who = {};
  turn_forwarder* nodes = nullptr; ///< the other nodes; nullptr: there are none

  /// Returns the id of a chat as the engine knows it.
  std::string chat(std::string_view session) const { return scoped_id(who.owner, session); }
};

/// Close codes of the server. RFC 6455, 7.4.2 leaves 4000 to 4999 to applications.
namespace ws_close {
inline constexpr uint16_t policy_violation = 1008;
inline constexpr uint16_t internal_error = 1011;
inline constexpr uint16_t too_many_bad_messages = 4400;
inline constexpr uint16_t key_revoked = 4401;
inline constexpr uint16_t too_many_streams = 4429;
} // namespace ws_close

/// Bounds of one connection.
struct ws_limits {
  static constexpr size_t message_bytes = 256; ///< a message that waits, beside its text
  size_t streams = 1000;                       ///< at once; one more closes it with 4429
  size_t bad_messages = 16;                    ///< in a row; so many close it with 4400
  size_t backlog_bytes = size_t{16} << 20;     ///< of messages not looked at; more closes with 1008
};

/// Serves the connection until it closes; then its turns are left, which aborts those that are not
/// resumable. Any thread.
void spawn_ws_connection(caf::actor_system& system, std::shared_ptr<websocket> socket,
                         ws_origin origin, ws_limits limits = {});

} // namespace troupe

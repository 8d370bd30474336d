// The sink for events of one turn that a WebSocket's client views.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "apps/engine/access/key_meter.hpp"
#include "apps/engine/http/websocket/ws_messages.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/client_ports.hpp"

namespace troupe {

/// A turn that was refused here, and may run on another node.
struct ws_refused_turn {
  uint64_t number = 0; ///< of its stream
  std::shared_ptr<ws_command> asked;
};

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::ws_refused_turn)

namespace troupe {

/// Keeps the streams of one WebSocket; a stream is one viewer of one turn, and has a number.
using ws_connection_actor = caf::typed_actor<
    // A message of the client.
    caf::reacts_to<std::string>,
    // The socket drained, or it is gone.
    caf::reacts_to<client_signal>,
    // Events of a stream with manual flow.
    caf::reacts_to<uint64_t, event_batch>,
    // A stream's turn was refused here, where other nodes may run it; its sink is gone.
    caf::reacts_to<ws_refused_turn>,
    // Events of a stream with manual flow, of another node: its turn's id, their first number, and
    // their JSON, one a line.
    caf::reacts_to<uint64_t, std::string, uint64_t, std::string>,
    // A stream is over, and its sink sends nothing more. The bool: the client was told the end.
    caf::reacts_to<atom::done, uint64_t, bool>>;

/// One stream, as its sink knows it.
struct ws_stream_id {
  ws_connection_actor home;
  uint64_t number = 0;
  std::string session;
  std::string turn;    ///< "" where the client did not say
  bool manual = false; ///< events go through the connection, which has the client's credit
  /// Whether the client said abort, which may have overtaken the start; set by `home`.
  std::shared_ptr<std::atomic<bool>> aborted = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<const key_meter> meter = nullptr; ///< of the key that opened the WebSocket
  /// The command that began the stream, until its turn runs; nullptr: no other node can take it.
  std::shared_ptr<ws_command> asked = nullptr;
};

/// Closes a WebSocket whose key was revoked. Returns whether it was. Any thread.
bool close_if_revoked(websocket& socket, const key_meter* meter);

/// The sink of one stream. Without manual flow, events go to the socket at once. Tells `home` when
/// it is destroyed. It never calls its watcher: `home` knows the subscriber.
std::unique_ptr<event_sink> ws_sink(std::shared_ptr<websocket> socket, ws_stream_id id);

} // namespace troupe

// What comes from a WebSocket's client.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "apps/engine/http/websocket/ws_sink.hpp"
#include "messages/ports/websocket_port.hpp"

namespace troupe {

/// Bytes that came and were not looked at yet.
using ws_backlog = std::shared_ptr<std::atomic<size_t>>;

/// Sends the connection each message and signal of its socket, in their order. Adds messages to
/// `waiting`, which the connection takes off, and closes the socket of a client that sends more
/// than `most` bytes at once.
void read_socket(const std::shared_ptr<websocket>& socket, ws_connection_actor to,
                 ws_backlog waiting, size_t most);

} // namespace troupe

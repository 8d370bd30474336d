// The way of a connection's messages to its server, and to its hub.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "actors/alarm_clock.hpp"
#include "actors/mcp_connection/mcp_requests.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// All that most parts of an mcp_connection know of it. The actor's thread only.
struct mcp_wire {
  using clock = std::chrono::steady_clock;

  explicit mcp_wire(mcp_connection_actor::pointer ptr) : self{ptr} {}

  /// Sends a request over the channel, which must be there. Returns its id.
  int64_t request(mcp_requests::pending what, const std::string& params);

  /// Sends a notification over the channel, which must be there.
  void notify(std::string_view method, const std::string& params);

  /// Answers a request of the server; does nothing without a channel.
  void respond(std::string json);

  template <class Message>
  void tell_hub(Message what) {
    self->send(hub, std::move(what));
  }

  /// Has the connection look at its deadlines by that time.
  void wake_by(clock::time_point at);

  clock::time_point now() const { return self->clock().now(); }

  mcp_connection_actor::pointer self;
  mcp_hub_for_connections hub;
  mcp_server_config config;
  std::unique_ptr<mcp_channel> channel;
  std::string revision; ///< of the protocol, as `initialize` agreed on it
  int64_t related = 0;  ///< mcp_inbound::related of the messages that are read now
  mcp_requests requests;
  alarm_clock alarm;
};

} // namespace troupe

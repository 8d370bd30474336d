// How a node of a cluster is connected to MCP servers.
#pragma once

#include "actors/cluster/single_server_port.hpp"
#include "apps/engine/http/nodes/node_http.hpp"
#include "messages/cluster/cluster_config.hpp"
#include "messages/ports/ports.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace troupe {

/// Channels of this node, and through others to servers of which there is one. Outlives all actors.
class node_channels {
public:
  /// @param here channels of this node; all three outlive this
  node_channels(shards& loops, http_port& http, mcp_port& here, const cluster_config& as)
      : signed_{http, as.node, as.secret}, there_{loops, signed_, limits()}, port_{here, there_} {}

  single_server_port& port() noexcept { return port_; }

private:
  /// A call that is taken back ends at once on the other node, too: by the end of its exchange.
  static mcp_channel_limits limits() {
    mcp_channel_limits out;
    out.http.linger = std::chrono::milliseconds{10};
    return out;
  }

  node_http signed_;
  mcp_channels there_;
  single_server_port port_;
};

} // namespace troupe

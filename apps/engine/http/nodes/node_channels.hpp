// How a node of a cluster is connected to MCP servers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "actors/cluster/single_server_port.hpp"
#include "apps/engine/http/nodes/forward_signature.hpp"
#include "messages/cluster/cluster_config.hpp"
#include "messages/ports/ports.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace troupe {

/// An http_port that signs what it sends, as a forwarded request that belongs to no owner. A field
/// `troupe-to` of a request says which start of the node is meant. A node that takes no connection
/// within two seconds, or does not acknowledge bytes for four, is lost. Any thread.
class node_http final : public http_port {
public:
  /// @param http carries the requests; outlives this @param node this one's name
  node_http(http_port& http, std::string node, std::string_view secret)
      : http_{http}, node_{std::move(node)}, signature_{secret} {}

  std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                      receiver deliver) override;

private:
  http_port& http_;
  std::string node_;
  forward_signature signature_;
};

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

// Channels to MCP servers of which there is one in the cluster.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/ports/ports.hpp"

namespace troupe {

/// An mcp_port for a node of a cluster. A server with `"nodes": "one"` is connected here if this
/// node has it, and through the node that has it if another one does; the cluster_member says
/// which. The channel of such a server is an actor, see single_server_link.hpp; other servers have
/// channels of the first port. Any thread.
class single_server_port final : public mcp_port {
public:
  /// @param here connects from this node @param there speaks to the other nodes' cluster ports;
  /// both outlive this
  single_server_port(mcp_port& here, mcp_port& there) : here_{here}, there_{there} {}

  /// Before the first open(). @param system outlives all channels
  void run_in(caf::actor_system& system) { system_ = &system; }

  std::unique_ptr<mcp_channel> open(const mcp_server_config& config, uint64_t channel,
                                    receiver deliver) override;

private:
  mcp_port& here_;
  mcp_port& there_;
  caf::actor_system* system_ = nullptr;
};

} // namespace troupe

// The channel to an MCP server of which there is one in the cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <caf/actor_system.hpp>

#include "messages/interfaces/cluster_interfaces.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

/// The two ends that a link connects. The ports outlive it.
struct single_server_setup {
  mcp_port* here = nullptr;  ///< connects from this node
  mcp_port* there = nullptr; ///< speaks to the cluster ports of other nodes
  mcp_server_config config;
  uint64_t channel = 0; ///< the owner's number
  mcp_port::receiver deliver;
};

/// Spawns the link, which asks the cluster_member where the server is and connects to it there. It
/// ends with the `closed` that it delivers, or with an exit.
///
///     waiting --place is known--> opening --heard from it--> open --to be left--> settling
///        ^                          |                          |                      |
///        '-----node is away---------'            node is gone  |       calls are over |
///                                                              v                      v
///                                                       closed, `moved` <--------- closing
///
/// While it settles, messages wait; then they fail as not run, and the owner's next link sends them
/// to wherever the server is. No text that it delivers names the address of a node.
single_server_link_actor spawn_single_server_link(caf::actor_system& system,
                                                  single_server_setup setup);

/// Returns the path of a server on the cluster port of the node that has it.
inline std::string single_server_path(std::string_view server) {
  return "/v1/mcp/node/" + percent_encoded(server);
}

/// The field of a request by which a node names the start of the node that it means.
inline constexpr std::string_view meant_node_field = "troupe-to";

} // namespace troupe

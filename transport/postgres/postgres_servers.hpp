// Which nodes have the MCP servers of which there is one in a cluster.
#pragma once

#include <cstdint>
#include <string>

#include "messages/cluster/server_holder.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// See member_port::hold. One round trip while there is nothing to take. A row in `single_servers`
/// holds as long as the node's row in `nodes` that it names is not marked as dead, and only a node
/// with a lease makes one. @param me incarnation
failure hold_servers(postgres_connection& db, uint64_t me, const wanted_servers& want,
                     held_servers& out);

/// See member_port::release.
failure release_server(postgres_connection& db, uint64_t me, const std::string& server);

} // namespace troupe

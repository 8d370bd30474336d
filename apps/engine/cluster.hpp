// The nodes of a cluster, for operators.
#pragma once

#include <cstdint>
#include <string>

#include "messages/cluster/cluster_node.hpp"
#include "messages/errors.hpp"

namespace troupe {

// These functions open the database, bring its tables up to date, and close it again. They may
// block; any thread that may wait. They work beside the nodes.
// @param url postgresql://...; may hold a password @return store_* when it cannot be used

/// Reads all nodes, sorted by name; also dead ones that nobody has swept yet.
node_list read_cluster(const std::string& url);

/// Has a node take no new turns until it is started again; those that run go on.
/// @return not_found: no node of that name lives
failure drain_node(const std::string& url, const std::string& name);

/// Frees the turns of a dead node at once, and forgets it. @param freed gets how many
/// @return not_found; request_invalid: it lives
failure forget_node(const std::string& url, const std::string& name, uint64_t& freed);

} // namespace troupe

// The nodes of a cluster, as the database has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// The state of a node.
enum class cluster_state : uint8_t {
  serving,  ///< it takes turns
  draining, ///< it takes no new turns; those that run go on
  dead      ///< its lease is over; its turns are being freed
};

/// Returns "serving", "draining" or "dead".
std::string to_string(cluster_state what);

/// One start of one node.
struct cluster_node {
  uint64_t incarnation = 0; ///< which start, at random: chat_fence::node
  std::string name;
  std::string address; ///< base URL of its cluster port
  std::string version; ///< of the program
  cluster_state state = cluster_state::serving;
  int64_t lease_left_ms = 0; ///< negative: it is over for this long
  int64_t silent_ms = 0;     ///< since the lease was renewed
  uint32_t running = 0;      ///< turns, as of its last beat
  static constexpr auto fields(auto...) {
    using self = cluster_node;
    return std::make_tuple(field("incarnation", &self::incarnation), field("name", &self::name),
                           field("address", &self::address), field("version", &self::version),
                           field("state", &self::state), field("leaseLeftMs", &self::lease_left_ms),
                           field("silentMs", &self::silent_ms), field("running", &self::running));
  }
};

/// The nodes, sorted by name; also dead ones that nobody has swept yet.
struct node_list {
  failure error;
  std::vector<cluster_node> nodes;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &node_list::error), field("nodes", &node_list::nodes));
  }
};

} // namespace troupe

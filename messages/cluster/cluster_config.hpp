// The section `cluster` of a configuration.
#pragma once

#include <chrono>
#include <string>

namespace troupe {

/// How a server is a node of a cluster: one of several that share a database.
struct cluster_config {
  std::string node;      ///< its name, which no other node has
  std::string listen;    ///< HOST:PORT where the other nodes reach it
  std::string advertise; ///< base URL of that for the others, without a slash at the end
  std::string secret;    ///< all nodes have the same; never shown
  std::chrono::milliseconds beat{500};   ///< how often the lease is renewed
  std::chrono::milliseconds lease{5000}; ///< a node that has not renewed it for this long is dead
  /// At shutdown: how long the server's port stays open, and turns go to other nodes.
  std::chrono::milliseconds drain_notice{5000};
};

} // namespace troupe

// Which node has the connection to an MCP server that exists once in a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Servers of which this node wants to know who has them.
struct wanted_servers {
  std::vector<std::string> servers; ///< names, as in `mcpServers`
  bool drains = false; ///< this node takes none, unless it is the last one that there is
};

/// The node that has a server, whether it lives or not.
struct server_holder {
  std::string server;
  uint64_t node = 0;   ///< incarnation
  std::string name;    ///< of the node; empty: it is gone
  std::string address; ///< base URL of its cluster port
};

/// Answers wanted_servers.
struct held_servers {
  std::vector<server_holder> servers; ///< those that a node has which was not found dead
  bool others_serve = false;          ///< another node would take one that is given back
};

/// Where the connection to a server is, as far as is known.
enum class server_where : uint8_t {
  nowhere, ///< nobody has it; who has it must close it at once
  leaving, ///< it is here, and is to be closed when its calls are over
  here,    ///< this node has it
  there    ///< another node has it
};

/// Tells where a server is.
struct server_assignment {
  server_where where = server_where::nowhere;
  uint64_t node = 0;   ///< incarnation
  std::string name;    ///< of the node
  std::string address; ///< there: base URL of its cluster port
  bool operator==(const server_assignment&) const = default;
};

/// The sender connects to that server as soon as this node may, and is told each server_assignment
/// until it ends.
struct want_server {
  std::string server;
  bool has = false; ///< it has the connection, of an earlier time
};

/// The sender had the connection to that server, and has closed it: others may have it.
struct server_closed {
  std::string server;
};

} // namespace troupe

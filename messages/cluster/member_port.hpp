// The part of a shared database that knows which nodes live.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/cluster/cluster_messages.hpp"
#include "messages/cluster/cluster_node.hpp"
#include "messages/cluster/node_lease.hpp"
#include "messages/cluster/server_holder.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The report of a node about itself, with each beat.
struct member_news {
  cluster_state state = cluster_state::serving;
  uint32_t running = 0; ///< turns
};

/// The result of a beat.
struct member_beat {
  failure error;            ///< the lease was not renewed
  uint64_t lost = 0;        ///< the others had taken this one for dead: it was this incarnation
  bool is_to_drain = false; ///< an operator wants it to take no more turns
  bool reconnected = false; ///< answers may have been lost
  std::vector<cluster_node> dead; ///< to be swept by this node; none while it may not judge
};

/// A chat that the database says this node runs a turn of.
struct claimed_chat {
  std::string session_id; ///< scoped
  uint64_t epoch = 0;
  bool operator==(const claimed_chat& other) const = default;
};

/// Keeps the lease of this node, and judges about others. One thread at a time; calls block, each
/// for at most some seconds.
class member_port {
public:
  virtual ~member_port() = default;

  /// Renews the lease. Where others had taken this node for dead it comes back as another
  /// incarnation (node_lease), whose chats are none.
  virtual member_beat beat(const member_news& news) = 0;

  /// Does a bounded piece of sweeping a dead node: ends its connections, interrupts its turns and
  /// frees their chats, then forgets the node. Nothing happens to one that lives.
  /// @param freed gets how many turns were interrupted @param more whether something is left
  virtual failure sweep(uint64_t incarnation, uint64_t& freed, bool& more) = 0;

  /// Lists all nodes.
  virtual node_list nodes() = 0;

  /// Lists the chats that this node is said to run a turn of.
  virtual failure claimed(std::vector<claimed_chat>& out) = 0;

  /// Frees one of them, which this node does not run, and interrupts its turn; unless it was
  /// claimed again.
  virtual failure give_back(const claimed_chat& chat) = 0;

  /// Says which nodes have MCP servers that exist once, and takes those for this one that no node
  /// has: one that was marked as dead, or has left, has none. Two nodes never have the same.
  virtual failure hold(const wanted_servers& want, held_servers& out) = 0;

  /// Gives a server back that this node has closed.
  virtual failure release(const std::string& server) = 0;

  /// Gives the lease back. The node's turns must be over.
  virtual failure leave() = 0;
};

/// Answers questions about nodes, beside a member_port. One thread at a time; calls block, each for
/// at most some seconds.
class node_directory {
public:
  virtual ~node_directory() = default;

  virtual chat_owner find(const find_owner& ask) = 0;
  virtual node_list nodes() = 0;
  virtual chat_owner take(const claim_orphan& ask) = 0;

  /// Asks a node, or lets it be asked no more, to take no new turns: it does so with its next beat.
  /// @return not_found: no node of that name lives
  virtual failure drain(const std::string& name) = 0;

  /// Sweeps all that is left of a node by that name. @return not_found: there is nothing;
  /// request_invalid: it lives
  virtual failure forget(const std::string& name, uint64_t& freed) = 0;
};

} // namespace troupe

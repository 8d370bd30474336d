// Which nodes live, and what becomes of the chats of dead ones.
#pragma once

#include <cstdint>
#include <vector>

#include "messages/cluster/cluster_node.hpp"
#include "messages/cluster/node_lease.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_chats.hpp"

namespace troupe {

/// Reads the rows of a statement that lists nodes, in the order of cluster_node's members.
std::vector<cluster_node> read_node_rows(postgres_rows& rows);

/// Reads all nodes, sorted by name. @param self the node that asks; 0: it is none
node_list read_nodes(postgres_connection& db, uint64_t self);

/// Running turns that are to be interrupted.
struct doomed_turns {
  uint64_t node = 0;  ///< that claimed them
  int64_t chat = 0;   ///< 0: of all chats
  uint64_t epoch = 0; ///< of the claim of that chat; 0: any
  int64_t most = 0;   ///< at a time, 0: all of them
};

/// Interrupts turns and frees their chats, which get a new version and a new epoch: who has claimed
/// one can write it no more. A chat that is named is freed also if no turn of it runs. Nothing
/// happens to one that is not that node's any more.
/// @param out is raised by how many
failure interrupt_turns(postgres_connection& db, const doomed_turns& which, int64_t now_ms,
                        uint64_t& out);

/// Returns whether a node is dead. In a cluster a node with a lease is dead when that is over, or
/// when its lock is gone and it has missed two beats; any other one is dead when its lock is gone.
/// @param self who judges; nobody with a lease is dead while it may not
failure is_dead_node(postgres_connection& db, const node_lease& self, uint64_t node, bool& out);

/// Collects the statements that mark a dead node as such, so that it cannot come back, and that end
/// its connections: one that was stopped in a transaction holds its rows. Nothing happens to a node
/// that lives, or has no lease.
void queue_burial(postgres_connection& db, uint64_t node);

/// The result of sweeping a node.
struct swept_turns {
  uint64_t count = 0; ///< interrupted so far
  bool more = false;  ///< some may be left
};

/// Does a piece of sweeping a node: marks it as dead, interrupts turns, and when none is left
/// forgets it. Nothing happens to one that lives.
failure sweep_piece(postgres_connection& db, uint64_t node, int64_t now_ms, swept_turns& out);

/// Frees the chats of all dead nodes, and interrupts their turns; also running turns that no node
/// claimed. @param self whose turns are left alone @param out how many were interrupted
failure free_chats_of_dead(postgres_connection& db, const node_lease& self, int64_t now_ms,
                           uint64_t& out);

} // namespace troupe

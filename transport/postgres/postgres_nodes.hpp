// Which nodes live, and what becomes of the chats of dead ones.
#pragma once

#include <cstdint>

#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_chats.hpp"

namespace troupe {

/// Returns whether a node's process is gone: nobody holds its lock (postgres_hold).
failure is_dead_node(postgres_connection& db, uint64_t node, bool& out);

/// Frees a chat of a dead node: its turn is interrupted, and it gets a new version. Nothing happens
/// if the chat is not that node's any more.
failure free_chat(postgres_connection& db, const postgres_chat& row, int64_t now_ms);

/// Frees the chats of all dead nodes, and interrupts their turns; also running turns that no node
/// claimed. @param me whose turns are left alone @param out how many were interrupted
failure free_chats_of_dead(postgres_connection& db, uint64_t me, int64_t now_ms, uint64_t& out);

} // namespace troupe

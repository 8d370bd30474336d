// Changes of conversations that do not come from their sessions.
#pragma once

#include <cstdint>
#include <memory>

#include "messages/store/conversation_change.hpp"
#include "messages/store/long_work.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_owners.hpp"

namespace troupe {

/// The parts of a connection that its changes need.
struct postgres_changer {
  postgres_connection& db;
  postgres_owners& owners;
  uint64_t node = 0; ///< of this process

  /// Changes a conversation within the running transaction; a refused change has written nothing.
  /// @param out its new state; after a branch, the copy's
  failure apply(const change_conversation& ask, int64_t now_ms, conversation_info& out) const;

private:
  failure set(const change_conversation& ask, int64_t now_ms, conversation_info& out) const;
  failure remove(const change_conversation& ask, conversation_info& out) const;
};

/// Returns whether a change takes more than one piece. @param out set if it can be known
failure is_long_change(postgres_connection& db, const change_conversation& ask, bool& out);

/// Begins a change that takes more than one piece. It has a connection and a transaction of its
/// own, so that nobody sees anything of it before its end, and a change that is given up leaves
/// nothing. @param owners of the connection that stages it, outlive it
std::unique_ptr<staged_change> stage_change(const postgres_place& at, postgres_owners& owners,
                                            change_conversation&& ask, int64_t now_ms);

/// Clears away a piece of what was removed, in a transaction of its own.
/// @param more set to whether there may be more
failure clear_removed(postgres_connection& db, bool& more);

} // namespace troupe

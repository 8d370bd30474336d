// Questions about where a turn runs. The actor cluster_directory answers them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Asks who runs a turn of a chat; answered by chat_owner, from the database and not from a cache.
struct find_owner {
  std::string session_id; ///< scoped
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &find_owner::session_id));
  }
};

/// Asks for all nodes; answered by node_list.
struct list_nodes {
  static constexpr auto fields(auto...) { return std::make_tuple(); }
};

/// Asks for the other node that serves and has the fewest turns; answered by chat_owner. What is
/// known of the nodes may be half a second old.
struct pick_node {
  uint64_t failed = 0; ///< the incarnation that was picked last and did not do it; 0: none
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("failed", &pick_node::failed));
  }
};

/// The node that is said to run a chat's turn has said that it does not: frees the chat, if it is
/// still claimed as it was. Answered by chat_owner: who has it now.
struct claim_orphan {
  std::string session_id;   ///< scoped
  uint64_t incarnation = 0; ///< that chat_owner named
  uint64_t epoch = 0;       ///< that chat_owner named
  static constexpr auto fields(auto...) {
    using self = claim_orphan;
    return std::make_tuple(field("session_id", &self::session_id),
                           field("incarnation", &self::incarnation), field("epoch", &self::epoch));
  }
};

/// Asks the session hub which of these chats have a session that runs a turn or has something
/// unsaved; answered by busy_chats.
struct find_busy_chats {
  std::vector<std::string> session_ids; ///< scoped
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_ids", &find_busy_chats::session_ids));
  }
};

/// Answers find_busy_chats.
struct busy_chats {
  std::vector<std::string> session_ids; ///< scoped
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_ids", &busy_chats::session_ids));
  }
};

/// A node that another one is to speak to.
struct chat_owner {
  failure error;            ///< store_*: nobody knows
  uint64_t incarnation = 0; ///< 0: no other node (nobody runs the turn, or this node does)
  uint64_t epoch = 0;       ///< of the claim
  std::string address;      ///< base URL of its cluster port
  static constexpr auto fields(auto...) {
    using self = chat_owner;
    return std::make_tuple(field("error", &self::error), field("incarnation", &self::incarnation),
                           field("epoch", &self::epoch), field("address", &self::address));
  }
};

} // namespace troupe

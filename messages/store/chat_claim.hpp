// The node that may write a chat while a turn of it runs, in a store that several nodes share.
//
//   free --takes--> held by a node --gives, or the node is dead--> free
//
// A store of one node has no claims: it ignores what saves say of them, and its chats are free.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Names the node that runs a turn of a chat. It takes both numbers: a database that fails over may
/// give an epoch a second time.
struct chat_fence {
  uint64_t node = 0;  ///< which start of which node, at random; 0: nobody
  uint64_t epoch = 0; ///< grows with each claim of the chat; 0: there was none
  bool operator==(const chat_fence& other) const = default;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("node", &chat_fence::node), field("epoch", &chat_fence::epoch));
  }
};

/// The part of a save that concerns the claim of its chat.
struct chat_claim {
  bool takes = false;    ///< the first save of a turn: the chat becomes this node's
  bool gives = false;    ///< the last save of a turn: the chat becomes free
  uint64_t version = 0;  ///< of the chat that the session has; 0: none, or (unless `takes`) any
  chat_fence fence = {}; ///< as the store told it last
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("takes", &chat_claim::takes), field("gives", &chat_claim::gives),
                           field("version", &chat_claim::version),
                           field("fence", &chat_claim::fence));
  }
};

/// Whose a chat is, or why a save may not write it.
enum class claim_state : uint8_t {
  none,           ///< the chat is free
  held,           ///< it is this node's
  stale,          ///< refused: it is not as the session has it; load it again
  held_elsewhere, ///< refused: a turn of it runs on another node
  lost            ///< refused: it is not this session's any more, or it was removed
};

std::string to_string(claim_state how);

/// Returns the error of a refused save; no error if it was not refused.
failure claim_fault(claim_state how);

/// Decides about the claim of a save by what the store has of the chat.
struct stored_claim {
  uint64_t version = 0; ///< 0: there is no such chat
  chat_fence fence = {};
  bool has_turn = false; ///< the save's turn is the chat's last one, written at this epoch
};

/// Returns held if the save may write, and whether it claims the chat anew in `anew`; or why it may
/// not. A claim whose answer was lost is done: its repetition continues under it.
/// @param me the node of the save
claim_state judge(const chat_claim& claim, const stored_claim& now, uint64_t me, bool& anew);

} // namespace troupe

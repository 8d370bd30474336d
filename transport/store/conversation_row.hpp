// The row of a conversation, in any database.
#pragma once

#include <cstdint>
#include <string>

#include "messages/store/conversation.hpp"

namespace troupe {

/// A conversation as every database keeps it, beside its messages and turns.
struct conversation_row {
  int64_t key = 0;   ///< 0: there is no such conversation
  int64_t owner = 0; ///< number of the owner
  conversation_info info;
  std::string overrides; ///< stored_json of chat_overrides
  uint64_t bytes = 0;    ///< as owner_holdings counts them
  int64_t place = 0;     ///< in the list, the highest first
};

} // namespace troupe

// Whether a chat may be read whole just now.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "messages/store/conversation_messages.hpp"

namespace troupe {

/// Returns too_many_connections for a chat that takes more than there is room for.
/// @param bytes as owner_holdings counts them
failure check_room(uint64_t bytes, const get_conversation& ask);

} // namespace troupe

// Which saves every store refuses.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "messages/store/store_messages.hpp"

namespace troupe {

/// Most messages of a conversation.
inline constexpr uint64_t most_kept_messages = uint64_t{1} << 20;

/// Returns a failure if a conversation cannot have so many messages.
failure check_message_count(uint64_t messages);

/// Returns the reason why a save must be refused by what it brings, or by the conversation that is
/// there. @param is_done it may be there already, since its answer was lost: then the version is
/// that of its own turn
failure check_save(const conversation_info& there, const save_chat& ask, bool is_done = false);

} // namespace troupe

// The kept size of a conversation, in bytes, as owner_holdings counts it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "messages/store/conversation.hpp"
#include "messages/store/owner_quota.hpp"
#include "messages/store/store_messages.hpp"

namespace troupe {

/// Returns the bytes of a message's contents.
size_t bytes_of(const chat_message& message);

/// Returns the bytes that a turn counts that others have written: kept_row_bytes, or those of its
/// texts if they are more.
uint64_t kept_bytes(const turn_record& turn);

/// Returns about as many bytes as the new rows of a save will count; exactly as many if they have
/// nothing but texts.
uint64_t kept_bytes(const save_chat& ask);

/// Returns about as many bytes as the rows of a conversation will count.
uint64_t kept_bytes(const conversation& content);

} // namespace troupe

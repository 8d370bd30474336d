// Digests of the conversations that clients keep themselves.
#pragma once

#include <array>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// SHA-256 (FIPS 180-4) of a conversation as its client tells it. All zeros: of none.
using conversation_digest = std::array<unsigned char, 32>;

/// Returns one digest more than there are messages: the n-th is that of the first n. Roles, texts,
/// calls with their ids and arguments, results and files count. System messages do not: programs
/// write the time into them. Reasoning does not: many clients leave it out. Any thread.
/// @throws std::bad_alloc if there is no memory
std::vector<conversation_digest> digests_of(const std::vector<chat_message>& messages);

} // namespace troupe

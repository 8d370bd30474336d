// A stored conversation in the format of the AI SDK's pages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "messages/store/conversation.hpp"

namespace troupe {

/// Returns {id, title, createdAt, updatedAt, messageCount, version, overrides, messages, lastTurn}.
///
/// `messages` are UIMessages, as useChat takes them: all messages with the same chat_message::id
/// become one. In it steps begin with "step-start", and calls are "dynamic-tool" parts with their
/// output, or in state "input-available" when they have none. metadata.createdAt is the time when
/// the first of these messages was stored. A missing id is made from the message's position.
/// `lastTurn` is null, or a turn_record whose `error` is null or {code, message}.
/// read_ui_messages() restores the same history from it.
std::string ui_conversation_json(const conversation& what);

/// Returns only its `messages`. @param begins set, for each of them, to the number of the stored
/// message with which it begins
std::string ui_messages_json(const conversation& what, std::vector<size_t>& begins);

} // namespace troupe

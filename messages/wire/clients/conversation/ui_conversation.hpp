// A conversation that is kept, as the pages of the AI SDK show it.
#pragma once

#include <string>

#include "messages/store/conversation.hpp"

namespace troupe {

/// Returns {id, title, createdAt, updatedAt, messageCount, version, overrides, messages, lastTurn}.
///
/// `messages` are UIMessages, as useChat takes them: all of one chat_message::id are one, where
/// steps begin with "step-start", and calls are "dynamic-tool" parts with their output, or in state
/// "input-available" when they have none; metadata.createdAt is when the first of them was kept. An
/// id that is not there is made of the message's place. `lastTurn` is null, or a turn_record whose
/// `error` is null or {code, message}. read_ui_messages() makes the same history of it.
std::string ui_conversation_json(const conversation& what);

} // namespace troupe

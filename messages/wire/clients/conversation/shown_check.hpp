// Checks chat_message::shown of a message that comes from outside.
#pragma once

#include "messages/chat/chat_message.hpp"
#include "messages/store/conversation.hpp"
#include "messages/wire/json/json_fields.hpp"

namespace troupe {

/// Checks that each entry is of a known type and holds what its type needs: it goes to clients as
/// it is. @return the first misfit, with its place in the message ("shown[2].value")
json_misfit check_shown(const chat_message& message);

/// Checks that a client may send back every part that it would be shown: else its next turn would
/// be refused, and so would all others. Only conversations with such entries are looked at.
/// @return the first misfit, with its place in the conversation ("messages[2].message.shown")
json_misfit check_sent_back(const conversation& what);

} // namespace troupe

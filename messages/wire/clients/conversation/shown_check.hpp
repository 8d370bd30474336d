// Checks chat_message::shown of a message that comes from outside.
#pragma once

#include "messages/chat/chat_message.hpp"
#include "messages/wire/json/json_fields.hpp"

namespace troupe {

/// Checks that each entry is of a known type and holds what its type needs: it goes to clients as
/// it is. @return the first misfit, with its place in the message ("shown[2].value")
json_misfit check_shown(const chat_message& message);

} // namespace troupe

// A message as a row: the columns `role`, `text` and `id`, and a body with all else.
#pragma once

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Returns a failure if a message is too large to be stored.
failure check_message(const chat_message& message);

/// Appends the body of a message, as stored_json; returns whether it has any member. If not, the
/// column is to be empty.
bool append_body(json_buffer& out, const chat_message& message);

} // namespace troupe

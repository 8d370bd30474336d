// A history as the `messages` of a chat-completions request.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/openai_chat/openai_dialect.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Appends the list. The same history gives the same bytes, so that prompt caches work.
/// A history that a strict server would refuse is repaired (request_history).
/// @param dialect of the model's server
///
/// A user's images are sent as parts if the model takes images; other files as text, or as a note.
/// Images of tool messages follow in one user message, because tool messages hold text only.
void append_openai_messages(json_buffer& out, const model_request& asked,
                            const openai_dialect& dialect);

} // namespace troupe

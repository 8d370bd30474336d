// A history as the `input` of a request to the Responses API.
#pragma once

#include "messages/chat/model_config.hpp"
#include "messages/json.hpp"
#include "messages/wire/history/request_history.hpp"

namespace troupe {

/// Returns what the API wants of a history.
history_rules responses_rules();

/// Appends the list of items. The same history gives the same bytes, so that prompt caches work.
/// An answer goes back as the items that its model made (kept_answer), or as a message and calls.
/// Files go as parts where the model takes them, also in results; else as text, or as a note.
/// @param messages by responses_rules(); their system message goes elsewhere
/// @param sealed_reasoning whether it goes back
void append_responses_input(json_buffer& out, const request_history& messages,
                            const model_config& model, bool sealed_reasoning);

} // namespace troupe

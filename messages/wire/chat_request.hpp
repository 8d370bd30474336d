// Bodies that clients post: the AI SDK's, and our own. All of it is untrusted.
#pragma once

#include <string_view>

#include "messages/errors.hpp"
#include "messages/turn_request.hpp"
#include "messages/types.hpp"

namespace troupe {

/// Parses the body of POST /api/chat: `{id, messages:[UIMessage...], trigger?, messageId?}` or
/// `{id, message}`, with the options `model`, `maxToolRoundtrips`, `mcpServers`, `clientRequests`
/// beside them. Unknown keys are the application's own and are ignored. UI messages become model
/// messages as the AI SDK converts them. The first bad element ends it: errc::request_invalid,
/// naming where
/// ("messages[2].parts[0].text must be a string").
/// `{id, messages}` replaces the history; `{id, message}` adds to it, where message is a UI message
/// or a user's text, and of an assistant's message only the results of its last step count. When
/// the last message is an assistant's, `out.message_id` is its id, so that the answer continues it.
/// `out` is untouched on failure. Any thread.
failure parse_ui_request(std::string_view body, turn_request& out);

/// Parses the body of POST /v1/sessions/{id}/turns: `{message: "text"}` or `{messages: [{role,
/// content, tool_calls?, tool_call_id?}...], replaceHistory?}` with the same options. Unknown keys
/// are an error here.
/// `out.session_id` is kept as it is; on failure all of `out` is.
failure parse_native_request(std::string_view body, turn_request& out);

} // namespace troupe

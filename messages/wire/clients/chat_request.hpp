// Bodies that clients post: the AI SDK's, and our own. All bodies are untrusted. One source file
// for each shape.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

// A body of a turn may also have these options: `model`, `maxToolRoundtrips`, `mcpServers`,
// `clientRequests`, `streaming`, `resumable`, `whenBusy` ("refuse", "wait", "abort"),
// `toolApproval` ("always", "unlessReadOnly"), `tools` (client_tools.hpp), `parameters`,
// `systemPrompt`. Null counts as absent. The first bad element ends the reading with
// errc::request_invalid, which names the place
// ("messages[2].parts[0].text must be a string"). `out` is untouched on failure. Any thread.

/// Parses the body of POST /api/chat: `{id, messages:[UIMessage...], trigger?, messageId?}` or
/// `{id, message, trigger?, messageId?}`, with the options, `prompt: {server, name, arguments?}`
/// and `uiProfile` beside them. Unknown keys are the application's own and are ignored. UI messages
/// become model messages as the AI SDK converts them.
///
/// `{id, messages}` replaces the history. `{id, message}` adds to it: a UI message, or a user's
/// text; of an assistant's message only the results of its last step count. When the last message
/// is an assistant's, `out.message_id` is its id, so that the answer continues it. Calls of its
/// last step that the user approved or refused have no result then, but an entry in
/// `out.approvals`. The messages have the ids of their UI messages.
///
/// Without `messages`, `messageId` names the place where the history is cut (`out.cut_at`). With
/// the trigger "regenerate-message" it is the id of the answer to generate again; no message is
/// added, because the server already has the user's message; without `messageId` the answer to
/// `message` is generated again. A user's `message` whose id is `messageId` replaces the server's
/// message with this id and all later ones.
/// @param profile unchanged if the body names none
failure parse_ui_request(std::string_view body, turn_request& out, ui_profile& profile);

/// Parses the body of POST /v1/sessions/{id}/turns: `{message: "text"}` or `{messages: [{role,
/// content, tool_calls?, tool_call_id?}...], replaceHistory?}` or `{prompt}`, with the options and
/// `replaceFrom?`, the id of the message before which the history is cut; with it messages may be
/// left out, and this message is answered again. Or `{resume: true}` with the options: continues an
/// interrupted turn. Unknown keys are an error here. `out.session_id` is kept as it is.
failure parse_native_request(std::string_view body, turn_request& out);

/// Parses the body of POST /v1/sessions/{id}/tool-results: `{results: [{toolCallId, output | error}
/// ...]}` with the options; an output is any JSON, an error a string. The turn continues with the
/// results. Unknown keys are an error. `out.session_id` is kept as it is.
failure parse_tool_results(std::string_view body, turn_request& out);

/// Parses the body of POST /v1/sessions/{id}/approvals: `{approvals: [{approvalId, approved,
/// reason?}...]}`. Unknown keys are an error.
failure parse_approvals(std::string_view body, std::vector<tool_approval>& out);

} // namespace troupe

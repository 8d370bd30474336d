// Bodies that clients post: the AI SDK's, and our own. All of it is untrusted. One source file for
// each shape.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

// Beside what the functions below name, a body of a turn may have these options: `model`,
// `maxToolRoundtrips`, `mcpServers`, `clientRequests`, `streaming`, `resumable`, `whenBusy`
// ("refuse", "wait", "abort"), `toolApproval` ("always"), `tools` (client_tools.hpp), `parameters`.
// Null is as good as absent. The first bad element ends the reading: errc::request_invalid, naming
// where ("messages[2].parts[0].text must be a string"). `out` is untouched on failure. Any thread.

/// Parses the body of POST /api/chat: `{id, messages:[UIMessage...], trigger?, messageId?}` or
/// `{id, message, trigger?, messageId?}`, with the options, `prompt: {server, name, arguments?}`
/// and `uiProfile` beside them. Unknown keys are the application's own and are ignored. UI messages
/// become model messages as the AI SDK converts them.
///
/// `{id, messages}` replaces the history; `{id, message}` adds to it, where message is a UI message
/// or a user's text, and of an assistant's message only the results of its last step count. When
/// the last message is an assistant's, `out.message_id` is its id, so that the answer continues it,
/// and the calls of its last step whose approval was answered have no result but an entry of
/// `out.approvals`. Messages have the ids of the UI messages that they are of.
///
/// Without `messages`, `messageId` can say where the history is cut (`out.cut_at`). With the
/// trigger "regenerate-message" it is the answer that is generated anew: nothing is added, for the
/// server has the user's message already; without `messageId` it is what follows `message`. A
/// `message` of the user whose id is `messageId` takes the place of the one that the server has,
/// and of all that follows.
/// @param profile stays where the body names none
failure parse_ui_request(std::string_view body, turn_request& out, ui_profile& profile);

/// Parses the body of POST /v1/sessions/{id}/turns: `{message: "text"}` or `{messages: [{role,
/// content, tool_calls?, tool_call_id?}...], replaceHistory?}` or `{prompt}`, with the options and
/// `replaceFrom?`, the id of the message before which the history ends; with it messages may be
/// left out, and its message is answered anew. Or `{resume: true}` with the options: an interrupted
/// turn goes on. Unknown keys are an error here.
/// `out.session_id` is kept as it is.
failure parse_native_request(std::string_view body, turn_request& out);

/// Parses the body of POST /v1/sessions/{id}/tool-results: `{results: [{toolCallId, output | error}
/// ...]}` with the options; an output is any JSON, an error a string. The turn goes on with them.
/// Unknown keys are an error. `out.session_id` is kept as it is.
failure parse_tool_results(std::string_view body, turn_request& out);

/// Parses the body of POST /v1/sessions/{id}/approvals: `{approvals: [{approvalId, approved,
/// reason?}...]}`. Unknown keys are an error.
failure parse_approvals(std::string_view body, std::vector<tool_approval>& out);

} // namespace troupe

// POST /v1/mcp/tools/call: one tool call outside of any turn.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// Runs the call and answers {"error":null|{code,message,retryable},"text":...,"result":...}; with
/// `Accept: text/event-stream` as an event `result`, after one `progress` for each report and, if
/// the call says that its client answers, one `clientRequest` for each question of the server.
/// A client that leaves takes the call back.
void spawn_tool_call_reply(http_call& in, call_tool what);

} // namespace troupe

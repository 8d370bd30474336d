// The body of POST /v1/messages, as Anthropic's clients send it.
#pragma once

#include <string_view>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// A message as it is asked for. The turn is ephemeral and holds the whole history.
struct claude_request {
  turn_request turn; ///< without a session_id
  bool stream = false;
  bool thread = false; ///< the server is to keep the history, which it does not: see
                       ///< claude_thread_refusal
};

/// Reads a body (docs.claude.com/en/api/messages). Its parameters are written in OpenAI's words,
/// which every provider here reads: `stop_sequences` as `stop`, a budget for thinking as an effort.
/// Tools that Anthropic's servers run, and members that mean something only there, are left out;
/// `maxToolRoundtrips` and `mcpServers` are ours. Refused, as errc::request_invalid with a text
/// that names the place: `mcp_servers`, `container`, files of another server.
failure parse_claude_request(std::string_view body, claude_request& out);

} // namespace troupe

// The MCP host as JSON, for HTTP, for events and for `--json`. No secrets: configurations are not
// shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/server_status.hpp"

namespace troupe {

/// How much of a server is told: both its log and the tail of stderr in its error may hold text of
/// any chat, and the error's text addresses behind the server.
enum class server_detail : uint8_t {
  all,
  no_log,        ///< without the log and the tail of stderr
  no_error_text, ///< also with the error code's own sentence in the place of its text
};

/// One server: name, type, enabled, health, phase, serverName, serverTitle, serverVersion,
/// protocolVersion, instructions, capabilities, attempt, connectMs, error (null or {"code",
/// "message"}), counts of tools, resources, resourceTemplates and prompts, and log (lines).
std::string server_json(const server_status& server, server_detail how = server_detail::all);

/// {"servers":[...],"activeFlows":n}
std::string servers_json(const server_list& list, server_detail how = server_detail::all);

/// {"tools":[{"server":...,"name":...,"title",...,"inputSchema","outputSchema","annotations",
/// "icons","_meta","taskSupport","repeatable"}]}; here and below absent members are left out.
/// @param server only tools of this one; "" = all
std::string tools_json(const server_list& list, std::string_view server);

/// {"resources":[{"server",...}],"resourceTemplates":[{"server",...}]}
std::string resources_json(const server_list& list, std::string_view server);

/// {"prompts":[{"server","name","title","description","arguments":[...]}]}
std::string prompts_json(const server_list& list, std::string_view server);

/// An event as server-sent event: "event: KIND\ndata: JSON\n\n".
std::string event_stream_text(const mcp_event& event);

} // namespace troupe

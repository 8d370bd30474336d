// A question of an MCP server to the person at the terminal.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// Shows a request of an MCP server (elicitation, sampling) on stderr with the server's name and
/// how long it waits, reads what the person types, and tells the server. A form that the server's
/// schema refuses is asked for again. No URL or command of a server is opened or run. Returns when
/// it is answered, its time is up, or it is over.
/// @param server takes the answer
/// @param request as a `clientRequest` event has it: {requestId, server, method, params, timeoutMs}
/// @param arrived from then on its time runs
/// @param over asked ten times a second, on this thread; true: an answer is no longer wanted
void ask_person(server_client& server, std::string_view request,
                std::chrono::steady_clock::time_point arrived, const std::function<bool()>& over);

/// Returns how long a person has, as a prompt says it: "4 min", "30 s".
std::string time_left(std::chrono::milliseconds left);

} // namespace troupe

// The server's side of MCP: what a node answers that passes the calls of others on to a server.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/mcp/server_status.hpp"

namespace troupe::mcp {

/// Returns the result of initialize: what the server has said of itself, but for tasks, which are
/// the business of the node that is connected to it.
std::string initialize_result_of(const server_status& server);

/// The params of a tools/call.
struct asked_call {
  std::string tool;
  std::string arguments{"{}"}; ///< JSON text of an object
  std::string progress_token;  ///< JSON text; "": progress is not told
  std::string traceparent;
};

/// @return request_invalid: there is no name, or the arguments are no object
failure parse(std::string_view params, asked_call& out);

/// Returns the params of notifications/progress. @param token JSON text @param total 0 if unknown
std::string progress_params(std::string_view token, double value, double total,
                            std::string_view message);

} // namespace troupe::mcp

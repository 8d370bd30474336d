// The bodies of requests to /v1/mcp, checked: every failure names the first member that is wrong.
#pragma once

#include <string_view>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/resource_messages.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

// All return request_invalid, or no error. `null` is as good as absent; unknown members are errors.

/// {server, tool, arguments?, asTask?, sessionId?, clientRequests?}
failure parse_tool_call(std::string_view body, call_tool& out);

/// {server, uri, refresh?}
failure parse_read(std::string_view body, read_resource& out);

/// {server, uri} @param method resources/subscribe or resources/unsubscribe
failure parse_subscription(std::string_view body, std::string_view method, mcp_ask& out);

/// {server, name, arguments?}
failure parse_prompt(std::string_view body, mcp_ask& out);

/// {server, ref: {type, name | uri}, argument: {name, value}, context?: {arguments}}
failure parse_completion(std::string_view body, mcp_ask& out);

/// {server, level}
failure parse_log_level(std::string_view body, mcp_ask& out);

/// {server, method, params?}
failure parse_request(std::string_view body, mcp_ask& out);

/// {action, content?}
failure parse_client_answer(std::string_view body, client_answer& out);

/// {server, uri}
failure parse_attachment(std::string_view body, add_attachment& out);

/// {enabled}
failure parse_enabled(std::string_view body, bool& out);

/// Nothing, or {}
failure parse_empty(std::string_view body);

} // namespace troupe

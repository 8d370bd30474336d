// MCP tools/call with progress and cancellation (specification 2025-11-25, server/tools,
// basic/utilities).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::mcp {

/// The answer of a tool.
struct call_result {
  bool is_error = false;
  std::string text; ///< text for the model: text parts joined by '\n', other parts as short notes
  std::string structured_content; ///< JSON text of structuredContent; "" if absent or null
};

/// A notifications/progress.
struct progress {
  int64_t token = 0; ///< ours: the request's id
  double value = 0;
  double total = 0; ///< 0 if unknown
  std::string message;
};

/// Returns the params of a call with a progress token. @param arguments JSON text of an object
/// @param traceparent goes into _meta; "" = none
std::string tools_call_params(std::string_view tool, std::string_view arguments, int64_t token,
                              std::string_view traceparent = {});

/// Returns the params of notifications/cancelled.
std::string cancelled_params(int64_t request_id, std::string_view reason);

/// Parses a CallToolResult. Text, image, audio, resource and resource_link parts; structuredContent
/// where there is no text. @param result of a text that was checked, as jsonrpc::parse() does
failure parse(std::string_view result, call_result& out);

/// Parses the params of notifications/progress.
failure parse(std::string_view params, progress& out);

/// The JSON-RPC error code for: the user must first visit a page.
inline constexpr int64_t url_elicitation_required = -32042;

/// Returns the pages for the user, one per line with the server's description; "" if there is none.
/// @param error_data `data` of such an error; any text
std::string url_elicitation_text(std::string_view error_data);

} // namespace troupe::mcp

// MCP elicitation, and roots/list (specification 2025-11-25, client/elicitation, client/roots).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_config.hpp"

namespace troupe::mcp {

/// The params of elicitation/create.
struct elicitation_request {
  bool is_url = false; ///< mode "url"; else a form
  std::string message;
  std::string requested_schema; ///< form: JSON text of an object
  std::string url;              ///< url: never to be fetched by us
  std::string elicitation_id;   ///< url
};

failure parse(std::string_view params, elicitation_request& out);

/// Returns `content` (JSON text of an object, or "") with the defaults of the form's schema filled
/// in where it has no value (SEP-1034).
std::string with_defaults(std::string_view requested_schema, std::string_view content);

/// Checks an accepted form: required values are there and have the type, bounds and enum of the
/// schema.
failure check_content(std::string_view requested_schema, std::string_view content);

/// Returns an ElicitResult. @param action "accept", "decline" or "cancel"
/// @param content JSON text of an object; left out when ""
std::string elicitation_result(std::string_view action, std::string_view content);

/// Returns a ListRootsResult.
std::string roots_result(const std::vector<mcp_root>& roots);

} // namespace troupe::mcp

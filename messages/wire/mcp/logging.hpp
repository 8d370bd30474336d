// MCP logging (specification 2025-11-25, server/utilities/logging).
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::mcp {

/// Returns whether it is one of the eight levels, "debug" to "emergency".
bool is_log_level(std::string_view level);

/// Returns the params of logging/setLevel.
std::string set_level_params(std::string_view level);

/// A notifications/message.
struct log_message {
  std::string level;
  std::string logger; ///< "" if absent
  std::string data;   ///< JSON text
};

failure parse(std::string_view params, log_message& out);

} // namespace troupe::mcp

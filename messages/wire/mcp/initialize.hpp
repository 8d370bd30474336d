// MCP initialize (specification 2025-11-25, basic/lifecycle).
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_capabilities.hpp"

namespace troupe::mcp {

/// The revision that we ask for.
inline constexpr std::string_view latest_revision = "2025-11-25";

/// Returns whether we speak this revision (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25).
bool speaks(std::string_view revision);

/// A server's description of itself.
struct initialize_result {
  std::string protocol_version;
  std::string server_name;
  std::string server_title;
  std::string server_version;
  std::string instructions;
  server_capabilities capabilities;
};

/// Returns the params of our initialize request. @param client_version our own version
std::string initialize_params(std::string_view client_version, const client_capabilities& declared);

/// Parses the result; fails with errc::server_protocol on a missing or unknown protocolVersion.
failure parse(std::string_view result, initialize_result& out);

} // namespace troupe::mcp

// What each scenario of the conformance suite wants a client to do.
#pragma once

#include <string>

#include "apps/engine/mcp_host.hpp"
#include "messages/errors.hpp"

namespace troupe::conformance {

/// The key of the server under which the suite is configured.
inline constexpr const char* server_name = "conformance";

/// Runs a scenario to its end. @return request_invalid for a scenario that has no row
failure run(const std::string& scenario, mcp_host& host);

} // namespace troupe::conformance

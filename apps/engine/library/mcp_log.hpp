// Log lines about the state of MCP servers.
#pragma once

#include <functional>
#include <memory>

#include "messages/mcp/mcp_messages.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Returns a function that writes a line when a server was connected, failed, was disabled or
/// removed; not for the steps in between. Not thread safe.
std::function<void(const mcp_event&)> mcp_log_writer(std::shared_ptr<log_port> log);

} // namespace troupe

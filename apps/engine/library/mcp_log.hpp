// The fates of MCP servers as log lines.
#pragma once

#include <functional>
#include <memory>

#include "messages/mcp/mcp_messages.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Returns what writes a line for each server that was connected, failed, was disabled or removed;
/// not for every step on the way there. Not thread safe.
std::function<void(const mcp_event&)> mcp_log_writer(std::shared_ptr<log_port> log);

} // namespace troupe

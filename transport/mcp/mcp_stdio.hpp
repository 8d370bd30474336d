// MCP over the standard streams of a child process: one JSON text per line.
#pragma once

#include <cstddef>
#include <memory>

#include "transport/child/child_process.hpp"
#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_link.hpp"
#include "transport/mcp/mcp_throttle.hpp"

namespace troupe {

/// Bounds and timeouts of a stdio channel.
struct mcp_stdio_limits {
  child_graces graces{};
  mcp_flood_limits flood{};
  size_t line_bytes = 16 * 1024 * 1024;  ///< longest message of the server
  size_t queue_bytes = 16 * 1024 * 1024; ///< messages that the server has not read yet
};

/// Makes a channel that starts `config.command`. It reports
/// - opened: the program runs;
/// - received: all complete lines of one read that look like JSON; and, ten times at most, the
///   beginning of a line that does not;
/// - failed with server_unavailable: the server does not read and the queue is full;
/// - closed with none after close(); server_start_failed if the program could not be executed or
///   ended before its first message; server_lost if it ended later; server_protocol if a line was
///   too long, or if what comes first is UTF-16 or has headers. The text tells how the program
///   ended, with the end of its stderr.
/// A server that floods is read no faster than `limits.flood` allows.
std::shared_ptr<mcp_link> make_mcp_stdio(loop& home, const mcp_server_config& config,
                                         mcp_reporter reports, const mcp_stdio_limits& limits = {});

} // namespace troupe

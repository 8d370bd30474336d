// MCP over Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
#pragma once

#include <memory>

#include "transport/mcp_http_session.hpp"
#include "transport/mcp_link.hpp"

namespace troupe {

/// Makes a channel to `config.url`. Every message is a POST of its own, all in parallel, but what
/// follows `notifications/initialized` waits until that is accepted; then the server's own stream
/// is opened. It reports
/// - opened: at once, without any exchange;
/// - received: the messages of one network read of one answer;
/// - failed: server_unavailable if the server can not be reached or refuses, server_lost if the
///   answer ended without the response and can not be resumed, server_protocol if it is too long;
/// - closed: none after close(), which deletes the session; server_unavailable if the server can
/// not
///   be reached for initialize; server_lost if it does not know the session any more.
/// @param http must outlive the channel
std::shared_ptr<mcp_link> make_mcp_http(loop& home, http_port& http,
                                        const mcp_server_config& config, mcp_reporter reports,
                                        const mcp_http_limits& limits = {});

} // namespace troupe

// MCP over HTTP: Streamable HTTP, revisions 2025-03-26 to 2025-11-25, and HTTP+SSE, 2024-11-05.
#pragma once

#include <memory>

#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_link.hpp"

namespace troupe {

/// Makes a channel to `config.url`. Every message is a POST of its own, all in parallel. Only
/// messages after `notifications/initialized` wait until that is accepted; then the server's own
/// stream is opened.
///
/// With type "sse" that stream comes first: it names the URL of the POSTs and carries the
/// responses. With type "http" the channel tries this, too, when a server answers initialize with
/// 400, 404 or 405 (specification 2025-11-25, basic/transports, "Backwards Compatibility").
///
/// It reports
/// - opened: at once, without any exchange; "sse": when the server has named its endpoint;
/// - received: the messages of one network read of one answer, with the request that it answers;
/// - failed: server_unavailable if the server cannot be reached or refuses, server_lost if the
///   answer ended without the response and cannot be resumed, server_protocol if it is too long,
///   server_session_lost if the server no longer knows the session. It is `not_run` if the POST
///   never left, or was answered that the session is lost (mcp_refusal.hpp, mcp_session_check.hpp);
/// - closed: none after close(), which deletes the session; server_unavailable if the server cannot
///   be reached for initialize; server_session_lost after the session was lost: running answers
///   have `limits.expiry` to arrive, and new messages fail meanwhile; server_lost if the stream of
///   HTTP+SSE ended, or if the server's own stream was cut and the server can no longer be reached;
///   server_protocol if the server broke the rules of HTTP+SSE.
///
/// A channel that is destroyed without close() deletes its session, too.
/// @param http must outlive the channel
std::shared_ptr<mcp_link> make_mcp_http(loop& home, http_port& http,
                                        const mcp_server_config& config, mcp_reporter reports,
                                        const mcp_http_limits& limits = {});

} // namespace troupe

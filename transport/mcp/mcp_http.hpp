// MCP over HTTP: Streamable HTTP, revisions 2025-03-26 to 2025-11-25, and HTTP+SSE, 2024-11-05.
#pragma once

#include <memory>

#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_link.hpp"

namespace troupe {

/// Makes a channel to `config.url`. Every message is a POST of its own, all in parallel, but what
/// follows `notifications/initialized` waits until that is accepted; then the server's own stream
/// is opened.
///
/// With type "sse" that stream comes first, and says where the POSTs go and carries the responses.
/// With type "http" the same is tried when a server answers initialize with 400, 404 or 405
/// (specification 2025-11-25, basic/transports, "Backwards Compatibility").
///
/// It reports
/// - opened: at once, without any exchange; "sse": when the server has named its endpoint;
/// - received: the messages of one network read of one answer, with the request that it answers;
/// - failed: server_unavailable if the server can not be reached or refuses, server_lost if the
///   answer ended without the response and can not be resumed, server_protocol if it is too long,
///   server_session_lost if the server does not know the session any more. It is `not_run` if the
///   POST never left, or was answered that the session is lost;
/// - closed: none after close(), which deletes the session; server_unavailable if the server can
///   not be reached for initialize; server_session_lost some time after the session was lost: the
///   answers that are under way have `limits.expiry` to arrive, and what is sent meanwhile fails;
///   server_lost if the stream of HTTP+SSE ended, or if the server's own stream was cut and the
///   server can not be reached any more; server_protocol if HTTP+SSE was not kept to.
///
/// One that is left without close() deletes its session all the same.
/// @param http must outlive the channel
std::shared_ptr<mcp_link> make_mcp_http(loop& home, http_port& http,
                                        const mcp_server_config& config, mcp_reporter reports,
                                        const mcp_http_limits& limits = {});

} // namespace troupe

#include "apps/engine/ws_route.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "apps/engine/request_trace.hpp"
#include "apps/engine/response_sink.hpp"
#include "apps/engine/ws_connection.hpp"

namespace troupe {

namespace {

constexpr std::string_view subprotocol = "troupe.v1";

/// Browsers let any page open a WebSocket to any address and read it; only the server can tell its
/// own pages. Programs send no origin.
bool is_foreign(const headers& fields) {
  auto origin = find_header(fields, "origin");
  if (origin.empty())
    return false;
  auto scheme = origin.find("://");
  auto host = scheme == std::string_view::npos ? std::string_view{} : origin.substr(scheme + 3);
  return host.empty() ||
         (host != find_header(fields, "host") && host != find_header(fields, "x-forwarded-host"));
}

} // namespace

void get_websocket(http_call& in) {
  if (is_foreign(in.request.fields))
    return send_error(*in.response,
                      {errc::request_invalid, "WebSockets are for pages of this server only; a "
                                              "proxy must pass the Host header on."});
  ws_origin origin{request_id_of(in.request.fields), traceparent_of(in.request.fields)};
  if (std::shared_ptr<websocket> socket = in.response->upgrade(in.request, subprotocol))
    spawn_ws_connection(in.system, std::move(socket), std::move(origin));
}

} // namespace troupe

#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/websocket/ws_connection.hpp"

namespace troupe {

namespace {

constexpr std::string_view subprotocol = "troupe.v1";

void get_websocket(http_call& in) {
  ws_origin origin{request_id_of(in.known), traceparent_of(in.known), in.who, in.services.nodes};
  if (std::shared_ptr<websocket> socket = in.response->upgrade(in.request, subprotocol))
    spawn_ws_connection(in.system, std::move(socket), std::move(origin));
}

constexpr std::array rows{http_route{"GET", "/v1/ws", get_websocket}};

} // namespace

route_table websocket_routes() {
  return rows;
}

} // namespace troupe

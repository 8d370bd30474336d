#include "apps/engine/http/requests/route_tables.hpp"

#include <array>

#include "apps/engine/http/nodes/mcp_node_events.hpp"
#include "apps/engine/http/nodes/mcp_node_request.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"

namespace troupe {

namespace {

void post_message(http_call& in) {
  spawn_mcp_node_request(in);
}

void get_events(http_call& in) {
  spawn_mcp_node_events(in);
}

/// A session is nothing that is kept.
void delete_session(http_call& in) {
  in.response->send(204, {}, "");
}

constexpr std::array node_rows{
    http_route{"POST", "/v1/mcp/node/{}", post_message},
    http_route{"GET", "/v1/mcp/node/{}", get_events},
    http_route{"DELETE", "/v1/mcp/node/{}", delete_session},
};

} // namespace

route_table mcp_node_routes() {
  return node_rows;
}

} // namespace troupe

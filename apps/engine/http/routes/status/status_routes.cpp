#include "apps/engine/http/requests/route_tables.hpp"

#include <array>

#include "apps/engine/http/routes/status/metrics_reply.hpp"
#include "apps/engine/http/routes/status/status_reply.hpp"

namespace troupe {

namespace {

void get_health(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain"}}, "ok\n");
}

void get_ready(http_call& in) {
  spawn_ready_reply(in);
}

void get_status(http_call& in) {
  spawn_status_reply(in);
}

void get_metrics(http_call& in) {
  spawn_metrics_reply(in);
}

constexpr std::array status_rows{
    http_route{"GET", "/v1/status", get_status, route_access::admins},
    http_route{"GET", "/metrics", get_metrics, route_access::admins}, // Prometheus' own path
    http_route{"GET", "/healthz", get_health, route_access::everybody},
    http_route{"GET", "/readyz", get_ready, route_access::everybody},
};

} // namespace

route_table status_routes() {
  return status_rows;
}

} // namespace troupe

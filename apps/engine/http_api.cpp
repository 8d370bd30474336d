#include "apps/engine/http_api.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "apps/engine/completions_routes.hpp"
#include "apps/engine/http_route.hpp"
#include "apps/engine/mcp_routes.hpp"
#include "apps/engine/metrics_reply.hpp"
#include "apps/engine/request_log.hpp"
#include "apps/engine/response_sink.hpp"
#include "apps/engine/status_reply.hpp"
#include "apps/engine/turn_routes.hpp"
#include "apps/engine/ws_route.hpp"
#include "messages/version.hpp"

namespace troupe {

namespace {

void get_health(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain"}}, "ok\n");
}

void get_ready(http_call& in) {
  spawn_ready_reply(in.system, std::move(in.response));
}

void get_status(http_call& in) {
  spawn_status_reply(in.system, std::move(in.response));
}

void get_metrics(http_call& in) {
  spawn_metrics_reply(in);
}

void get_root(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain; charset=utf-8"}},
                    "Troupe " + std::string{version} +
                        "\nPOST /api/chat                 a turn as a UI message stream"
                        "\nPOST /v1/sessions/{id}/turns   a turn as native events"
                        "\nPOST /v1/chat/completions      for OpenAI's clients"
                        "\nGET  /v1/status                what is going on"
                        "\nGET  /metrics                  the same and more, for Prometheus"
                        "\nGET  /v1/mcp/servers           MCP servers; more below /v1/mcp\n");
}

constexpr std::array own_routes{
    http_route{"GET", "/v1/status", get_status},
    http_route{"GET", "/v1/ws", get_websocket},
    http_route{"GET", "/metrics", get_metrics}, // Prometheus' own path
    http_route{"GET", "/healthz", get_health},
    http_route{"GET", "/readyz", get_ready},
    http_route{"GET", "/", get_root},
};

/// Returns the row that answers, or nullptr; then `allowed` has the methods of the path's rows.
const http_route* find_route(std::string_view method, std::string_view path, path_ids& ids,
                             std::string& allowed) {
  for (auto rows :
       {turn_routes(), completions_routes(), std::span<const http_route>{own_routes}, mcp_routes()})
    for (const auto& row : rows) {
      if (!matches(row, path, ids))
        continue;
      if (row.method == method)
        return &row;
      allowed += (allowed.empty() ? "" : ", ") + std::string{row.method};
    }
  return nullptr;
}

caf::behavior nothing(caf::event_based_actor* self) {
  quiet(self);
  return {[](atom::done) {}};
}

} // namespace

http_api::http_api(caf::actor_system& system, const engine_config& config,
                   std::function<size_t()> connections)
    : system_(system), streams_(system.spawn(nothing)), config_(config),
      connections_(std::move(connections)),
      profile_(ui_profile_of(config.ui_profile).value_or(ui_profile::v6)) {}

http_api::~http_api() {
  end_streams();
}

void http_api::end_streams() {
  caf::anon_send_exit(streams_, caf::exit_reason::user_shutdown);
}

void http_api::answer(server_request&& request, std::shared_ptr<http_response> response) {
  response = logged(config_, request, std::move(response));
  std::string allowed;
  path_ids ids;
  auto method = request.method == "HEAD" ? std::string_view{"GET"} : request.method;
  if (const auto* row = find_route(method, request.path, ids, allowed)) {
    http_call in{system_,
                 streams_,
                 config_,
                 profile_,
                 std::move(request),
                 std::move(ids),
                 std::move(response),
                 connections_};
    return row->run(in);
  }
  if (allowed.empty())
    return send_error(*response, {errc::not_found, "There is nothing at " + request.path + '.'});
  send_error(*response, {errc::method_not_allowed, request.path + " takes " + allowed + '.'},
             {{"allow", allowed}});
}

} // namespace troupe

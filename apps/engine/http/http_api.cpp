#include "apps/engine/http/http_api.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "apps/engine/access/auth.hpp"
#include "apps/engine/http/forwarded_response.hpp"
#include "apps/engine/http/http_route.hpp"
#include "apps/engine/http/request_log.hpp"
#include "apps/engine/http/request_trace.hpp"
#include "apps/engine/http/response_sink.hpp"
#include "apps/engine/http/routes/completions_routes.hpp"
#include "apps/engine/http/routes/conversation_routes.hpp"
#include "apps/engine/http/routes/mcp_routes.hpp"
#include "apps/engine/http/routes/metrics_reply.hpp"
#include "apps/engine/http/routes/status_reply.hpp"
#include "apps/engine/http/routes/turn_routes.hpp"
#include "apps/engine/http/websocket/ws_route.hpp"
#include "messages/version.hpp"

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

void get_root(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain; charset=utf-8"}},
                    "Troupe " + std::string{version} +
                        "\nPOST /api/chat                 a turn as a UI message stream"
                        "\nPOST /v1/sessions/{id}/turns   a turn as native events"
                        "\nPOST /v1/chat/completions      for OpenAI's clients"
                        "\nGET  /v1/status                what is going on"
                        "\nGET  /metrics                  the same and more, for Prometheus"
                        "\nGET  /v1/conversations         what is kept; more below it"
                        "\nGET  /v1/mcp/servers           MCP servers; more below /v1/mcp\n");
}

constexpr std::array own_routes{
    http_route{"GET", "/v1/status", get_status, route_access::admins},
    http_route{"GET", "/v1/ws", get_websocket},
    http_route{"GET", "/metrics", get_metrics, route_access::admins}, // Prometheus' own path
    http_route{"GET", "/healthz", get_health, route_access::everybody},
    http_route{"GET", "/readyz", get_ready, route_access::everybody},
    http_route{"GET", "/", get_root, route_access::everybody},
};

/// Returns the row that answers, or nullptr; then `allowed` has the methods of the path's rows.
const http_route* find_route(std::string_view method, const server_request& request, path_ids& ids,
                             std::string& allowed) {
  for (auto rows : route_tables())
    for (const auto& row : rows) {
      if (!matches(row, request, ids))
        continue;
      if (row.method == method)
        return &row;
      allowed += (allowed.empty() ? "" : ", ") + std::string{row.method};
    }
  return nullptr;
}

/// Says that no row has this path, or none with this method.
void refuse_path(const std::string& path, const std::string& allowed, http_response& response) {
  if (allowed.empty())
    return refuse_request(path, response, {errc::not_found, "There is nothing at " + path + '.'},
                          {});
  refuse_request(path, response, {errc::method_not_allowed, path + " takes " + allowed + '.'},
                 {{"allow", allowed}});
}

/// Refuses a body that is compressed: nothing here unpacks it.
failure check_encoding(const server_request& request) {
  const auto encoding = find_header(request.fields, "content-encoding");
  if (request.body.empty() || encoding.empty() || encoding == "identity")
    return {};
  return {errc::encoding_unsupported, "Content-Encoding '" + std::string{encoding} +
                                          "' is not supported: send the body as it is."};
}

caf::behavior nothing(caf::event_based_actor* self) {
  quiet(self);
  return {[](atom::done) {}};
}

} // namespace

std::span<const route_table> route_tables() {
  static const std::array tables{turn_routes(), completions_routes(), route_table{own_routes},
                                 conversation_routes(), mcp_routes()};
  return tables;
}

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
  std::string allowed;
  path_ids ids;
  auto method = request.method == "HEAD" ? std::string_view{"GET"} : request.method;
  const auto* row = find_route(method, request, ids, allowed);
  auto let_in = admit(request, row ? row->access : route_access::owners, config_, *keys_);
  response = logged(config_, request, let_in.who.owner, std::move(response));
  if (!let_in.cors.empty())
    response = std::make_shared<headed_response>(std::move(response), std::move(let_in.cors));
  if (let_in.is_preflight)
    return response->send(204, let_in.fields, "");
  if (let_in.refused) {
    let_in.fields.push_back({"x-request-id", request_id_of(request.fields)});
    return refuse_request(request.path, *response, let_in.refused, std::move(let_in.fields));
  }
  if (row == nullptr)
    return refuse_path(request.path, allowed, *response);
  if (auto bad = check_encoding(request))
    return refuse_request(request.path, *response, bad, {});
  http_call in{system_,
               streams_,
               config_,
               profile_,
               std::move(request),
               std::move(ids),
               std::move(response),
               connections_,
               std::move(let_in.who),
               &silent_};
  row->run(in);
}

} // namespace troupe

#include "apps/engine/http_api.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/subscriber.hpp"
#include "apps/engine/http_route.hpp"
#include "apps/engine/mcp_routes.hpp"
#include "apps/engine/response_sink.hpp"
#include "apps/engine/status_reply.hpp"
#include "messages/version.hpp"
#include "messages/wire/chat_request.hpp"

namespace troupe {

namespace {

void post_chat(http_call& in) {
  turn_request turn;
  if (auto bad = parse_ui_request(in.request.body, turn))
    return ui_stream_sink(std::move(in.response))->refuse(bad);
  spawn_subscriber(in.system, std::move(turn), ui_stream_sink(std::move(in.response)));
}

void post_turn(http_call& in) {
  turn_request turn;
  if (auto bad = parse_native_request(in.request.body, turn))
    return send_error(*in.response, bad);
  turn.session_id = std::move(in.ids[0]);
  spawn_subscriber(in.system, std::move(turn), native_stream_sink(std::move(in.response)));
}

void post_stop(http_call& in) {
  if (auto hub = whereis<session_hub_actor>(in.system, session_hub_name))
    caf::anon_send<caf::message_priority::high>(hub, abort_turn{in.ids[0], "", "stop"});
  in.response->send(202, {{"content-type", "application/json"}}, "{}");
}

void get_health(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain"}}, "ok\n");
}

void get_ready(http_call& in) {
  spawn_ready_reply(in.system, std::move(in.response));
}

void get_status(http_call& in) {
  spawn_status_reply(in.system, std::move(in.response));
}

void get_root(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain; charset=utf-8"}},
                    "Troupe " + std::string{version} +
                        "\nPOST /api/chat                 a turn as a UI message stream"
                        "\nPOST /v1/sessions/{id}/turns   a turn as native events"
                        "\nGET  /v1/status                what is going on"
                        "\nGET  /v1/mcp/servers           MCP servers; more below /v1/mcp\n");
}

constexpr std::array chat_routes{
    http_route{"POST", "/api/chat", post_chat},
    http_route{"POST", "/api/chat/{}/stop", post_stop},
    http_route{"POST", "/v1/sessions/{}/turns", post_turn},
    http_route{"POST", "/v1/sessions/{}/abort", post_stop},
    http_route{"GET", "/v1/status", get_status},
    http_route{"GET", "/healthz", get_health},
    http_route{"GET", "/readyz", get_ready},
    http_route{"GET", "/", get_root},
};

/// Returns the row that answers, or nullptr; then `allowed` has the methods of the path's rows.
const http_route* find_route(std::string_view method, std::string_view path, path_ids& ids,
                             std::string& allowed) {
  for (auto rows : {std::span<const http_route>{chat_routes}, mcp_routes()})
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

http_api::http_api(caf::actor_system& system) : system_(system), streams_(system.spawn(nothing)) {}

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
  if (const auto* row = find_route(method, request.path, ids, allowed)) {
    http_call in{system_, streams_, std::move(request), std::move(ids), std::move(response)};
    return row->run(in);
  }
  if (allowed.empty())
    return send_error(*response, {errc::not_found, "There is nothing at " + request.path + '.'});
  send_error(*response, {errc::method_not_allowed, request.path + " takes " + allowed + '.'},
             {{"allow", allowed}});
}

} // namespace troupe

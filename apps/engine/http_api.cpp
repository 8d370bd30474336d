#include "apps/engine/http_api.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "actors/subscriber.hpp"
#include "apps/engine/response_sink.hpp"
#include "apps/engine/status_reply.hpp"
#include "messages/version.hpp"
#include "messages/wire/chat_request.hpp"

namespace troupe {

namespace {

/// One request on its way to its answer.
struct call {
  caf::actor_system& system;
  server_request request;
  std::string id; ///< the {id} of the path
  std::shared_ptr<http_response> response;
};

constexpr size_t max_id_bytes = 256;

void post_chat(call& in) {
  turn_request turn;
  if (auto bad = parse_ui_request(in.request.body, turn))
    return ui_stream_sink(std::move(in.response))->refuse(bad);
  spawn_subscriber(in.system, std::move(turn), ui_stream_sink(std::move(in.response)));
}

void post_turn(call& in) {
  turn_request turn;
  if (auto bad = parse_native_request(in.request.body, turn))
    return send_error(*in.response, bad);
  turn.session_id = std::move(in.id);
  spawn_subscriber(in.system, std::move(turn), native_stream_sink(std::move(in.response)));
}

void post_stop(call& in) {
  if (auto hub = whereis<session_hub_actor>(in.system, session_hub_name))
    caf::anon_send<caf::message_priority::high>(hub, abort_turn{in.id, "", "stop"});
  in.response->send(202, {{"content-type", "application/json"}}, "{}");
}

void get_health(call& in) {
  in.response->send(200, {{"content-type", "text/plain"}}, "ok\n");
}

void get_ready(call& in) {
  spawn_ready_reply(in.system, std::move(in.response));
}

void get_status(call& in) {
  spawn_status_reply(in.system, std::move(in.response));
}

void get_root(call& in) {
  in.response->send(200, {{"content-type", "text/plain; charset=utf-8"}},
                    "Troupe " + std::string{version} +
                        "\nPOST /api/chat                 a turn as a UI message stream"
                        "\nPOST /v1/sessions/{id}/turns   a turn as native events"
                        "\nGET  /v1/status                what is going on\n");
}

/// One row: method, path with at most one {id}, what it does.
struct route {
  std::string_view method;
  std::string_view prefix;
  std::string_view suffix; ///< after the {id}; with an empty one the path is the prefix itself
  bool has_id;
  void (*run)(call&);
};

constexpr std::array routes{
    route{"POST", "/api/chat", "", false, post_chat},
    route{"POST", "/api/chat/", "/stop", true, post_stop},
    route{"POST", "/v1/sessions/", "/turns", true, post_turn},
    route{"POST", "/v1/sessions/", "/abort", true, post_stop},
    route{"GET", "/v1/status", "", false, get_status},
    route{"GET", "/healthz", "", false, get_health},
    route{"GET", "/readyz", "", false, get_ready},
    route{"GET", "/", "", false, get_root},
};

/// Returns whether the path is the route's, and sets the {id}.
bool matches(const route& row, std::string_view path, std::string& id) {
  if (!row.has_id)
    return path == row.prefix;
  if (path.size() <= row.prefix.size() + row.suffix.size() || !path.starts_with(row.prefix) ||
      !path.ends_with(row.suffix))
    return false;
  id = path.substr(row.prefix.size(), path.size() - row.prefix.size() - row.suffix.size());
  return id.size() <= max_id_bytes;
}

} // namespace

void http_api::answer(server_request&& request, std::shared_ptr<http_response> response) {
  std::string allowed;
  auto method = request.method == "HEAD" ? std::string_view{"GET"} : request.method;
  for (const auto& row : routes) {
    std::string id;
    if (!matches(row, request.path, id))
      continue;
    if (row.method == method) {
      call in{system_, std::move(request), std::move(id), std::move(response)};
      return row.run(in);
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string{row.method};
  }
  if (allowed.empty())
    return send_error(*response, {errc::not_found, "There is nothing at " + request.path + '.'});
  send_error(*response, {errc::method_not_allowed, request.path + " takes " + allowed + '.'},
             {{"allow", allowed}});
}

} // namespace troupe

#include "apps/engine/status_reply.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/response_sink.hpp"
#include "messages/json.hpp"
#include "messages/mcp_interfaces.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds hub_limit{5};

using writer = std::function<void(http_response&, const session_counts&, const server_list&)>;

/// Asks both hubs, one after the other, then writes.
caf::behavior ask_hubs(caf::event_based_actor* self, std::shared_ptr<http_response> response,
                       writer write) {
  quiet(self);
  auto sessions = whereis<session_hub_actor>(self->system(), session_hub_name);
  auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  if (!sessions || !tools) {
    send_error(*response, {errc::shutting_down, ""});
    return {};
  }
  auto fail = [response](const caf::error&) { send_error(*response, {errc::shutting_down, ""}); };
  self->request(sessions, hub_limit, atom::status_v)
      .then(
          [=](const session_counts& counts) {
            self->request(tools, hub_limit, atom::status_v)
                .then([=](const server_list& list) { write(*response, counts, list); }, fail);
          },
          fail);
  return {};
}

bool settled(const server_status& server) {
  return !server.enabled || server.health == server_health::success ||
         server.health == server_health::error || server.attempt > 0;
}

void write_ready(http_response& response, const session_counts& counts, const server_list& list) {
  auto ready = !counts.draining && std::all_of(list.servers.begin(), list.servers.end(), settled);
  response.send(ready ? 200 : 503, {{"content-type", "text/plain"}},
                ready             ? "ready\n"
                : counts.draining ? "shutting down\n"
                                  : "MCP servers are still connecting\n");
}

void write_server(json_buffer& out, const server_status& server) {
  append_raw(out, R"({"name":)");
  append_json(out, server.name);
  append_raw(out, R"(,"health":)");
  append_json(out, server.health);
  append_raw(out, R"(,"phase":)");
  append_json(out, server.phase);
  append_raw(out, R"(,"serverName":)");
  append_json(out, server.server_name);
  append_raw(out, R"(,"protocolVersion":)");
  append_json(out, server.protocol_version);
  append_raw(out, R"(,"tools":)");
  append_json(out, server.offered->tools.size());
  append_raw(out, R"(,"attempt":)");
  append_json(out, server.attempt);
  if (server.error != errc::none) {
    append_raw(out, R"(,"error":{"code":)");
    append_json(out, server.error);
    append_raw(out, R"(,"message":)");
    append_json(out, server.error_text);
    append_raw(out, "}");
  }
  append_raw(out, "}");
}

void write_status(http_response& response, const session_counts& counts, const server_list& list) {
  json_buffer out;
  append_raw(out, "{");
  append_members(out, counts);
  append_raw(out, R"(,"activeFlows":)");
  append_json(out, list.active_flows);
  append_raw(out, R"(,"mcpServers":[)");
  for (size_t i = 0; i < list.servers.size(); ++i) {
    if (i > 0)
      out.push_back(',');
    write_server(out, list.servers[i]);
  }
  append_raw(out, "]}");
  response.send(200, {{"content-type", "application/json"}}, std::string{view(out)});
}

} // namespace

void spawn_ready_reply(caf::actor_system& system, std::shared_ptr<http_response> response) {
  system.spawn(ask_hubs, std::move(response), writer{write_ready});
}

void spawn_status_reply(caf::actor_system& system, std::shared_ptr<http_response> response) {
  system.spawn(ask_hubs, std::move(response), writer{write_status});
}

} // namespace troupe

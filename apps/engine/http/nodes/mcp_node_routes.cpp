#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/monitors.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/mcp_node_request.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

// -- mcp node events ------------------------------------------------------------------------------

namespace {

using mcp_node_events_actor = mcp_subscriber_actor::extend<caf::reacts_to<client_signal>>;

/// Returns the notification by which a server tells such an event, "" for others.
std::string_view notification_of(std::string_view kind) {
  if (kind == "toolsChanged")
    return "notifications/tools/list_changed";
  if (kind == "resourcesChanged")
    return "notifications/resources/list_changed";
  if (kind == "promptsChanged")
    return "notifications/prompts/list_changed";
  if (kind == "resourceUpdated")
    return "notifications/resources/updated";
  if (kind == "elicitationComplete")
    return "notifications/elicitation/complete";
  return kind == "log" ? "notifications/message" : "";
}

/// @param server as GET /v1/mcp/servers shows it
bool is_connected(const std::string& server) {
  const json_source source{server};
  std::string_view phase;
  read_members(source.root(), {{"phase", &phase}});
  return json_string(phase) == to_string(server_phase::connected);
}

struct mcp_node_events_state {
  static inline const char* name = "troupe.mcp_node_events";

  explicit mcp_node_events_state(mcp_node_events_actor::pointer ptr) : self{ptr} {}

  void start() {
    quiet(self);
    self->set_down_handler([this](caf::down_msg&) { end(); });
    auto me = caf::actor_cast<mcp_node_events_actor>(self);
    response->watch([me](response_signal signal) {
      caf::anon_send<caf::message_priority::high>(me, client_signal{signal});
    });
    auto hub = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
    if (!hub)
      return end();
    watched.add(hub);
    self->send(hub, watch_mcp{}); // first: nothing may change unseen
    self->request(hub, caf::infinite, atom::status_v)
        .then(
            [this](const server_list& list) {
              const auto here = mcp_node_session(list, server, meant);
              if (here.empty() || here != session)
                return end();
              started = true;
              response->start(200, native_stream_head());
              write(": events of an MCP server\n\n");
            },
            [this](const caf::error&) { end(); });
  }

  void on_event(const mcp_event& event) {
    if (!started || event.server != server)
      return;
    if (event.kind == "serverRemoved" || (event.kind == "server" && !is_connected(event.data.text)))
      return end();
    const auto method = notification_of(event.kind);
    if (method.empty() || (full && event.kind == "log"))
      return;
    const bool has_params = !event.kind.ends_with("Changed");
    write("event: message\ndata: " +
          jsonrpc::make_notification(method, has_params ? event.data.text : "") + "\n\n");
  }

  void on_client(response_signal what) {
    if (what == response_signal::gone)
      self->quit();
    full = false;
  }

  void write(const std::string& bytes) { full = !response->write(bytes); }

  void end() {
    if (started)
      response->finish();
    else
      response->send(404, {}, "");
    self->quit();
  }

  mcp_node_events_actor::pointer self;
  monitors watched{self};
  std::shared_ptr<http_response> response;
  std::string server;
  std::string session;
  uint64_t meant = 0;
  bool started = false;
  bool full = false;
};

mcp_node_events_actor::behavior_type
mcp_node_events(mcp_node_events_actor::stateful_pointer<mcp_node_events_state> self,
                std::shared_ptr<http_call> in) {
  auto& state = self->state;
  state.response = std::move(in->response);
  state.server = std::move(in->ids[0]);
  state.session = find_header(in->request.fields, "mcp-session-id");
  state.meant = in->services.nodes->setup().start();
  state.start();
  return {
      [&state](const mcp_event& event) { state.on_event(event); },
      [&state](const client_signal& signal) { state.on_client(signal.what); },
  };
}

/// Sends notifications of a server to which this node is connected, changes of its lists above all,
/// until the node leaves or that connection is lost. Log messages are left out for a slow node.
void spawn_mcp_node_events(http_call& in) {
  if (!means_this_node(in))
    return in.response->send(404, {}, "");
  in.system.spawn(mcp_node_events, std::make_shared<http_call>(std::move(in)));
}

// -- mcp node routes ------------------------------------------------------------------------------

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

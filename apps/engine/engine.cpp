#include "apps/engine/engine.hpp"

#include <optional>
#include <thread>
#include <utility>

#include "actors/subscriber.hpp"
#include "apps/engine/callback_sink.hpp"
#include "apps/engine/engine_impl.hpp"
#include "apps/engine/event_range_impl.hpp"
#include "messages/wire/json_check.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// How long a hub may take to answer what it can answer at once.
constexpr std::chrono::seconds hub_limit{5};
/// How long the connections of clients may take to send their last bytes.
constexpr std::chrono::seconds flush_limit{2};
/// How long all MCP servers together may take to end in order.
constexpr std::chrono::seconds disconnect_limit{10};

server_limits limits_of(const engine_limits& in) {
  server_limits out;
  out.max_connections = in.max_connections;
  out.max_header_bytes = in.max_header_bytes;
  out.max_body_bytes = in.max_body_bytes;
  out.idle_timeout = in.idle_connection;
  out.stall_timeout = in.stalled_client;
  return out;
}

/// A spawn makes the calling thread share CAF's logger, and ~actor_system waits for the last such
/// thread: a thread of the application must not keep it.
struct spawning {
  spawning() = default;
  spawning(const spawning&) = delete;
  spawning& operator=(const spawning&) = delete;
  ~spawning() { caf::logger::set_current_actor_system(nullptr); }
};

} // namespace

engine::engine(engine_config config) : impl_(std::make_unique<impl>(std::move(config))) {}

engine::~engine() {
  shutdown(milliseconds{0});
}

void engine::start_turn(turn_request request, event_callback deliver) {
  spawning guard;
  spawn_subscriber(impl_->system, std::move(request),
                   std::make_unique<callback_sink>(std::move(deliver)));
}

event_range engine::stream(turn_request request) {
  spawning guard;
  return event_range{std::make_unique<event_range::impl>(impl_->system, std::move(request))};
}

void engine::abort(const std::string& session_id, const std::string& reason) {
  if (auto hub = whereis<session_hub_actor>(impl_->system, session_hub_name))
    caf::anon_send<caf::message_priority::high>(hub, abort_turn{session_id, "", reason});
}

failure engine::listen(std::string_view address) {
  impl_->server = std::make_unique<http_server>(
      impl_->loops, limits_of(impl_->config.limits),
      [api = &impl_->api](server_request&& request, std::shared_ptr<http_response> response) {
        api->answer(std::move(request), std::move(response));
      });
  return impl_->server->listen(address);
}

uint16_t engine::port() const {
  return impl_->server ? impl_->server->port() : 0;
}

bool engine::wait_for_servers(milliseconds limit) {
  return impl_->ask<atom::done, mcp_hub_actor>(mcp_hub_name, limit, atom::settled_v).has_value();
}

std::vector<server_info> engine::servers() {
  std::vector<server_info> out;
  auto list = impl_->ask<server_list, mcp_hub_actor>(mcp_hub_name, hub_limit, atom::status_v);
  if (!list)
    return out;
  for (const auto& each : list->servers)
    out.push_back({each.name,
                   to_string(each.health),
                   to_string(each.phase),
                   each.server_name,
                   each.server_version,
                   each.protocol_version,
                   {each.error, each.error_text},
                   each.offered->tools});
  return out;
}

tool_result engine::call_tool(const std::string& server, const std::string& tool,
                              const std::string& arguments) {
  if (!is_json_object(arguments))
    return {{errc::tool_arguments_invalid, "The arguments must be a JSON object."}, "", {}};
  tool_result out;
  caf::scoped_actor self{impl_->system};
  auto hub = whereis<mcp_hub_actor>(impl_->system, mcp_hub_name);
  if (!hub)
    return {{errc::shutting_down, ""}, "", {}};
  self->monitor(hub);
  self->send(hub, troupe::call_tool{"call", server, tool, arguments});
  bool done = false;
  self->receive_while([&] { return !done; })(
      [&](tool_outcome& outcome) {
        out = {{outcome.error, outcome.error == errc::none ? "" : outcome.text},
               outcome.text,
               std::move(outcome.result)};
        done = true;
      },
      [](const tool_progress&) {},
      [&](const caf::down_msg&) {
        out.error = {errc::server_lost, ""};
        done = true;
      });
  return out;
}

engine_status engine::status() {
  engine_status out;
  if (auto counts = impl_->ask<session_counts, session_hub_actor>(session_hub_name, hub_limit,
                                                                  atom::status_v)) {
    out.sessions = counts->sessions;
    out.running_turns = counts->running_turns;
    out.turns = counts->turns;
  }
  if (auto list = impl_->ask<server_list, mcp_hub_actor>(mcp_hub_name, hub_limit, atom::status_v))
    out.active_flows = list->active_flows;
  out.connections = impl_->server ? impl_->server->connections() : 0;
  return out;
}

void engine::shutdown(milliseconds drain_limit) {
  if (std::exchange(impl_->down, true))
    return;
  impl_->ask<atom::done, session_hub_actor>(session_hub_name, drain_limit + hub_limit,
                                            atom::drain_v, caf::timespan{drain_limit});
  if (impl_->server) {
    impl_->server->stop_accepting();
    auto limit = std::chrono::steady_clock::now() + flush_limit;
    while (impl_->server->connections() > 0 && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(milliseconds{1});
  }
  impl_->ask<atom::done, mcp_hub_actor>(mcp_hub_name, disconnect_limit, atom::disconnect_v);
  if (impl_->server)
    impl_->server->close();
}

bool engine::uses_scripted_model() const {
  return impl_->scripted != nullptr;
}

} // namespace troupe

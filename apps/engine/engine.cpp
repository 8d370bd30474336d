#include "apps/engine/engine.hpp"

#include <stdexcept>
#include <utility>

#include "actors/subscriber.hpp"
#include "apps/engine/asking.hpp"
#include "apps/engine/callback_sink.hpp"
#include "apps/engine/config_check.hpp"
#include "apps/engine/engine_impl.hpp"
#include "apps/engine/event_range_impl.hpp"
#include "messages/log_line.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// How long a hub may take to answer what it can answer at once.
constexpr std::chrono::seconds hub_limit{5};

server_limits limits_of(const engine_limits& in) {
  server_limits out;
  out.max_connections = in.max_connections;
  out.max_header_bytes = in.max_header_bytes;
  out.max_body_bytes = in.max_body_bytes;
  out.idle_timeout = in.idle_connection;
  out.stall_timeout = in.stalled_client;
  return out;
}

engine_config checked(engine_config config) {
  auto bad = check_config(config);
  if (!bad)
    bad = check_servers(config.mcp_servers);
  if (bad)
    throw std::invalid_argument{bad.text()};
  for (auto& [name, model] : config.models)
    if (model.name.empty())
      model.name = name;
  return config;
}

} // namespace

engine::engine(engine_config config) : impl_(std::make_unique<impl>(checked(std::move(config)))) {}

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
  const auto& auth = impl_->config.auth;
  if (auth.keys && auth.own.empty() && !impl_->store)
    return {errc::config_invalid, "auth.keys needs a data folder, which has the keys: set `data`"};
  impl_->server = std::make_unique<http_server>(
      impl_->loops, limits_of(impl_->config.limits),
      [api = &impl_->api](server_request&& request, std::shared_ptr<http_response> response) {
        api->answer(std::move(request), std::move(response));
      });
  auto bad = impl_->server->listen(address);
  if (!bad) {
    log_line line;
    line.add("address", address).add("port", port());
    write_log(impl_->config.log.get(), log_level::info, "listening", line);
  }
  return bad;
}

uint16_t engine::port() const {
  return impl_->server ? impl_->server->port() : 0;
}

bool engine::wait_for_servers(milliseconds limit) {
  return impl_->ask<atom::done, mcp_hub_actor>(mcp_hub_name, limit, atom::settled_v).has_value();
}

mcp_host& engine::mcp() {
  return impl_->host;
}

conversations& engine::conversations() {
  return impl_->kept;
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
  if (!std::exchange(impl_->down, true))
    impl_->shut_down(drain_limit);
}

bool engine::uses_scripted_model() const {
  return impl_->scripted != nullptr;
}

} // namespace troupe

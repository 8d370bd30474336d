#include "actors/mcp_connection/mcp_connection.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <variant>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <fmt/format.h>

#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "actors/one_way.hpp"
#include "actors/quiet.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/version.hpp"
#include "messages/wire/mcp/initialize.hpp"

namespace troupe {

namespace {

mcp_connection_actor::behavior_type
mcp_connection(mcp_connection_actor::stateful_pointer<mcp_connection_state> self,
               mcp_hub_for_connections hub, mcp_port* port, mcp_server_config config) {
  quiet(self);
  self->state.start(std::move(hub), port, std::move(config));
  return self->state.make_behavior();
}

int64_t wall_ms() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

mcp::client_capabilities declared_by(const mcp_server_config& config) {
  return {!config.roots.empty(), config.sampling != client_policy::deny,
          config.elicitation != client_policy::deny};
}

} // namespace

mcp_connection_actor spawn_mcp_connection(caf::local_actor& parent, mcp_port& port,
                                          mcp_server_config config) {
  auto hub =
      caf::actor_cast<mcp_hub_for_connections>(caf::actor_cast<caf::strong_actor_ptr>(&parent));
  return parent.spawn<caf::linked>(mcp_connection, std::move(hub), &port, std::move(config));
}

void mcp_connection_state::start(mcp_hub_for_connections to, mcp_port* through,
                                 mcp_server_config with) {
  hub = std::move(to);
  port = through;
  config = std::move(with);
  secrets = secret_filter{config};
  backoff = {config.max_reconnects, config.reconnect_jitter};
  calls.start(config.max_parallel);
  standing.start(config.log_level);
  status.name = config.name;
  status.type = config.type;
  status.enabled = config.enabled;
  open();
}

mcp_connection_actor::behavior_type mcp_connection_state::make_behavior() {
  return {
      one_way([this](const mcp_inbound& in) { on_inbound(in); }), // CAF tries them in this order
      one_way([this](server_call& call) { calls.on_call(call); }),
      [this](const server_cancel& cancel) { calls.on_cancel(cancel); },
      [this](const server_reply& reply) { peer.on_reply(reply); },
      [this](const server_note& line) {
        note(line.text);
        report();
      },
      [this](atom::restart) { on_restart(); },
      [this](atom::disconnect) { return on_disconnect(); },
      [this](atom::tick) { on_tick(); },
      [this](atom::reconnect, uint64_t number) { on_reconnect(number); },
  };
}

void mcp_connection_state::open() {
  opened_at = now();
  unread.start();
  connect_by = opened_at + connect_limit(config);
  wake_by(connect_by);
  note("connecting over " + (config.type.empty() ? "stdio" : config.type));
  report(server_phase::transport_creating);
  auto me = caf::actor_cast<mcp_connection_actor>(self);
  status.connection = ++channel_number;
  channel = port->open(config, channel_number,
                       [me](mcp_inbound&& in) { caf::anon_send(me, std::move(in)); });
}

void mcp_connection_state::report() {
  status.attempt = status.phase == server_phase::connected ? 0 : backoff.attempt();
  status.log = diary.snapshot();
  status.lists_due = lists.first_due();
  tell_hub(status);
}

void mcp_connection_state::report(server_health health, server_phase phase) {
  status.health = health;
  status.phase = phase;
  report();
}

/// A chat need not notice that a session is made anew.
void mcp_connection_state::report(server_phase phase) {
  report(recovering ? server_health::success : server_health::connecting, phase);
}

void mcp_connection_state::note(std::string line) {
  diary.add(secrets.blacken(std::move(line)), wall_ms());
}

/// For whoever called, and for models: the status has all of it. What a transport says names the
/// server already.
std::string mcp_connection_state::describe(const failure& why) const {
  auto text = secrets.blacken(without_stderr_tail(why.text()));
  auto who = fmt::format("MCP server '{}'", config.name);
  return text.starts_with(who) ? text : who + ": " + text;
}

void mcp_connection_state::on_inbound(const mcp_inbound& in) {
  if (in.channel != channel_number)
    return;
  heard_at = now();
  if (!in.node.empty()) {
    status.node = in.node;
    status.remote = in.remote;
  }
  switch (in.signal) {
  case mcp_signal::opened:
    report(server_phase::initializing);
    request({mcp_request::initialize, 0, "initialize"},
            mcp::initialize_params(version, declared_by(config)));
    break;
  case mcp_signal::received:
    on_received(in);
    break;
  case mcp_signal::failed:
    on_failed(in.request_id, {in.error, in.error_text}, in.not_run);
    break;
  case mcp_signal::closed:
    if (in.moved)
      backoff.forgive();
    on_closed({in.error, in.error_text});
    break;
  }
}

void mcp_connection_state::on_received(const mcp_inbound& in) {
  related = in.related;
  if (!in.noise.empty())
    unread.take({"no JSON", 0}, in.noise);
  for (const auto& text : in.messages) {
    const auto visit = [&](jsonrpc::message& message) {
      if (in.channel == channel_number) // an earlier message may have been the end of it
        on_any(message, text);
    };
    jsonrpc::for_each_message(text, std::cref(visit)); // a reference needs no memory of its own
  }
  related = 0;
}

void mcp_connection_state::on_any(jsonrpc::message& message, std::string_view text) {
  if (auto* said = std::get_if<jsonrpc::response>(&message))
    on_message(*said);
  else if (const auto* told = std::get_if<jsonrpc::notification>(&message))
    on_message(*told);
  else if (const auto* asked = std::get_if<jsonrpc::request>(&message))
    peer.on_request(*asked);
  else
    unread.take(std::get<jsonrpc::malformed>(message), text);
}

void mcp_connection_state::on_initialized(const jsonrpc::response& answer) {
  mcp::initialize_result result;
  if (answer.is_error)
    return drop({errc::server_protocol, "initialize was refused: " + answer.error_message});
  if (auto bad = mcp::parse(answer.result, result))
    return drop(bad);
  connect_by = never;
  status.server_name = std::move(result.server_name);
  status.server_title = std::move(result.server_title);
  status.server_version = std::move(result.server_version);
  status.protocol_version = revision = std::move(result.protocol_version);
  status.instructions = std::move(result.instructions);
  status.capabilities = result.capabilities;
  for (auto what : all_mcp_lists)
    if (!(status.capabilities.*row_of(what).needs)) // any more
      lists.clear(what);
  note(fmt::format("initialized: {} {}, revision {}", status.server_name, status.server_version,
                   status.protocol_version));
  notify("notifications/initialized", "");
  if (!status.capabilities.tools)
    return on_connected();
  report(server_phase::listing_tools);
  lists.read(mcp_list::tools);
}

void mcp_connection_state::on_connected() {
  auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now() - opened_at);
  backoff.connected(now());
  recovering = false;
  status.connect_ms = static_cast<uint64_t>(took.count());
  status.error = errc::none;
  status.error_text.clear();
  note(fmt::format("connected in {} ms with {} tools", took.count(), status.offered->tools.size()));
  report(server_health::success, server_phase::connected);
  standing.send(status.capabilities.logging);
  calls.send_waiting();
  for (auto what : {mcp_list::resources, mcp_list::templates, mcp_list::prompts})
    if (status.capabilities.*row_of(what).needs)
      lists.read(what);
  wake_by(lists.due()); // of what changed meanwhile
  if (config.ping_interval.count() > 0)
    wake_by(now() + config.ping_interval);
}

// -- losing the connection -----------------------------------------------------------------------

void mcp_connection_state::drop(const failure& why) {
  channel.reset();
  on_closed(why);
}

void mcp_connection_state::on_closed(const failure& why) {
  ++channel_number; // what still comes from this channel is late
  channel.reset();
  connect_by = never;
  expired = false;
  requests.clear();
  lists.abandon();
  peer.on_closed();
  tasks.clear();
  failure lost{why ? why.code : errc::server_lost, why ? why.message : ""};
  // A server that does not let us in again has refused what waits for that, too.
  auto in_vain = recovering && lost.code == errc::server_unavailable;
  if (disconnecting) {
    calls.lose(lost, false);
    return end();
  }
  std::uniform_real_distribution<double> chance{0, 1};
  auto next = backoff.lost(now(), lost.code == errc::server_session_lost, chance(random));
  recovering = next.next == mcp_backoff::step::at_once;
  status.error = lost.code;
  status.error_text = secrets.blacken(lost.text());
  note("lost: " + lost.text());
  calls.lose(lost, next.next != mcp_backoff::step::give_up && !in_vain);
  connect_again(next);
}

void mcp_connection_state::connect_again(const mcp_backoff::verdict& next) {
  if (next.next == mcp_backoff::step::at_once)
    return open();
  for (auto what : all_mcp_lists)
    lists.clear(what);
  if (next.next == mcp_backoff::step::give_up) {
    note(fmt::format("given up after {} reconnections", backoff.attempt()));
    return report(server_health::error, server_phase::given_up);
  }
  note(fmt::format("reconnection {} in {} ms", backoff.attempt(), next.delay.count()));
  report(server_health::error, server_phase::waiting_to_reconnect);
  self->delayed_send(self, next.delay, atom::reconnect_v, channel_number);
}

void mcp_connection_state::on_reconnect(uint64_t number) {
  if (number == channel_number && !channel && !disconnecting)
    open();
}

void mcp_connection_state::on_restart() {
  if (status.phase == server_phase::connected || disconnecting)
    return;
  backoff.reset();
  if (!channel)
    open();
}

caf::result<atom::done> mcp_connection_state::on_disconnect() {
  disconnected.push_back(self->make_response_promise<atom::done>());
  auto promise = disconnected.back(); // what follows may empty the list
  if (std::exchange(disconnecting, true))
    return promise;
  note("disconnecting");
  if (!channel) {
    calls.lose({errc::server_lost, "it was disconnected"}, false);
    end();
  } else {
    report(status.health, server_phase::disconnecting);
    channel->close();
  }
  return promise;
}

void mcp_connection_state::end() {
  report(server_health::idle, server_phase::disconnected);
  for (auto& each : std::exchange(disconnected, {}))
    each.deliver(atom::done_v);
  self->quit();
}

} // namespace troupe

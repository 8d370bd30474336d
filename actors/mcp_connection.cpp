#include "actors/mcp_connection.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection_state.hpp"
#include "actors/quiet.hpp"
#include "messages/version.hpp"
#include "messages/wire/mcp/initialize.hpp"
#include "messages/wire/mcp/tools_list.hpp"

namespace troupe {

namespace {

/// A connection that lasted so long starts again with the shortest delay.
constexpr std::chrono::seconds stable_after{10};

mcp_connection_actor::behavior_type
mcp_connection(mcp_connection_actor::stateful_pointer<mcp_connection_state> self, mcp_hub_actor hub,
               mcp_port* port, mcp_server_config config) {
  auto& state = self->state;
  quiet(self);
  state.hub = std::move(hub);
  state.port = port;
  state.config = std::move(config);
  state.status.name = state.config.name;
  state.open();
  return state.make_behavior();
}

} // namespace

std::chrono::milliseconds reconnect_delay(uint32_t attempt) {
  return std::chrono::milliseconds{1000} * std::min(30, 1 << std::min(attempt, 5u));
}

mcp_connection_actor spawn_mcp_connection(mcp_hub_actor::pointer parent, mcp_port& port,
                                          mcp_server_config config) {
  return parent->spawn<caf::linked>(mcp_connection, caf::actor_cast<mcp_hub_actor>(parent), &port,
                                    std::move(config));
}

mcp_connection_actor::behavior_type mcp_connection_state::make_behavior() {
  return {
      [this](server_call& call) { on_call(call); },
      [this](const server_cancel& cancel) { on_cancel(cancel); },
      [this](atom::disconnect) { return on_disconnect(); },
      [this](const mcp_inbound& in) { on_inbound(in); },
      [this](atom::tick) { on_tick(); },
      [this](atom::reconnect, uint64_t number) { on_reconnect(number); },
  };
}

void mcp_connection_state::open() {
  report(server_health::connecting, server_phase::transport_creating);
  auto me = caf::actor_cast<mcp_connection_actor>(self);
  channel = port->open(config, ++channel_number,
                       [me](mcp_inbound&& in) { caf::anon_send(me, std::move(in)); });
}

void mcp_connection_state::report(server_health health, server_phase phase) {
  status.health = health;
  status.phase = phase;
  self->send(hub, status);
}

void mcp_connection_state::on_inbound(const mcp_inbound& in) {
  if (in.channel != channel_number)
    return;
  switch (in.signal) {
  case mcp_signal::opened:
    report(server_health::connecting, server_phase::initializing);
    request(mcp_request::initialize, "initialize", mcp::initialize_params(version), 0,
            config.connect_timeout);
    break;
  case mcp_signal::received:
    for (const auto& text : in.messages)
      for (auto& message : jsonrpc::parse(text))
        if (channel) // an earlier message may have been the end of it
          std::visit([this](auto& each) { on_message(each); }, message);
    break;
  case mcp_signal::failed:
    on_failed(in.request_id, {in.error, in.error_text});
    break;
  case mcp_signal::closed:
    on_closed({in.error, in.error_text});
    break;
  }
}

void mcp_connection_state::on_initialized(const jsonrpc::response& answer) {
  mcp::initialize_result result;
  if (answer.is_error)
    return drop({errc::server_protocol, "initialize was refused: " + answer.error_message});
  if (auto bad = mcp::parse(answer.result, result))
    return drop(bad);
  status.server_name = result.server_name;
  status.server_version = result.server_version;
  status.protocol_version = result.protocol_version;
  notify("notifications/initialized", "");
  if (!result.has_tools)
    return on_connected();
  report(server_health::connecting, server_phase::listing_tools);
  start_listing();
}

void mcp_connection_state::start_listing() {
  if (listing.start())
    list_page("");
}

void mcp_connection_state::list_page(const std::string& cursor) {
  request(mcp_request::list_tools, "tools/list", mcp::tools_list_params(cursor), 0,
          config.request_timeout);
}

void mcp_connection_state::on_page(const jsonrpc::response& answer) {
  if (auto bad = listing.add(answer))
    return drop(bad);
  if (!listing.next_cursor().empty())
    return list_page(listing.next_cursor());
  auto again = listing.again();
  status.offered = frozen<server_tools>{listing.take()};
  on_connected();
  if (again)
    start_listing();
}

void mcp_connection_state::on_connected() {
  if (status.phase != server_phase::connected)
    connected_at = now();
  status.error = errc::none;
  status.error_text.clear();
  report(server_health::success, server_phase::connected);
}

// -- losing the connection -----------------------------------------------------------------------

void mcp_connection_state::drop(const failure& why) {
  channel.reset();
  on_closed(why);
}

void mcp_connection_state::on_closed(const failure& why) {
  ++channel_number; // what still comes from this channel is late
  channel.reset();
  if (status.phase == server_phase::connected && now() - connected_at >= stable_after)
    status.attempt = 0;
  listing.reset();
  failure lost{why ? why.code : errc::server_lost, why ? why.message : ""};
  lose_calls(lost);
  if (disconnecting)
    return end();
  status.offered = {};
  status.error = lost.code;
  status.error_text = lost.text();
  report(server_health::error, server_phase::waiting_to_reconnect);
  self->delayed_send(self, reconnect_delay(status.attempt++), atom::reconnect_v, channel_number);
}

std::string mcp_connection_state::describe(const failure& why) const {
  return fmt::format("MCP server '{}': {}", config.name, why.text());
}

void mcp_connection_state::on_reconnect(uint64_t number) {
  if (number == channel_number && !channel && !disconnecting)
    open();
}

caf::result<atom::done> mcp_connection_state::on_disconnect() {
  disconnected = self->make_response_promise<atom::done>();
  disconnecting = true;
  if (!channel) {
    end();
  } else {
    report(status.health, server_phase::disconnecting);
    channel->close();
  }
  return disconnected;
}

void mcp_connection_state::end() {
  report(server_health::idle, server_phase::disconnected);
  disconnected.deliver(atom::done_v);
  self->quit();
}

} // namespace troupe

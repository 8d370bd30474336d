// Servers of an mcp_hub: what is done to them, and what their connections report.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "messages/json.hpp"

namespace troupe {

namespace {

/// More than anybody configures. The index and the lists grow with the number of servers.
constexpr size_t max_servers = 1000;
/// How many servers an error text names.
constexpr size_t named_servers = 20;

} // namespace

hub_server* mcp_hub_state::find(const std::string& server) {
  auto found = servers.find(server);
  return found == servers.end() ? nullptr : &found->second;
}

hub_server* mcp_hub_state::sender_server(const std::string& server) {
  auto* found = find(server);
  auto sent = found && found->connection &&
              found->connection == caf::actor_cast<caf::actor_addr>(self->current_sender());
  return sent ? found : nullptr;
}

failure mcp_hub_state::unknown(const std::string& server) const {
  auto text = fmt::format("There is no MCP server called '{}'; known are:", server);
  for (size_t i = 0; i < std::min(order.size(), named_servers); ++i)
    text += ' ' + order[i]->config.name;
  if (order.empty())
    text += " none";
  if (order.size() > named_servers)
    text += fmt::format(" and {} more", order.size() - named_servers);
  return {errc::server_unknown, std::move(text)};
}

// -- what is done to servers ---------------------------------------------------------------------

failure mcp_hub_state::check_put(const put_server& put) const {
  if (ending != hub_end_phase::none)
    return {errc::shutting_down, ""};
  if (auto bad = check(put.config))
    return bad;
  if (!servers.contains(put.config.name) && order.size() >= max_servers)
    return {errc::config_invalid, fmt::format("there can be at most {} MCP servers", max_servers)};
  return {};
}

void mcp_hub_state::put(mcp_server_config server) {
  auto [place, added] = servers.try_emplace(server.name);
  auto& entry = place->second;
  if (added)
    order.push_back(&entry);
  else
    disable(entry, "changed");
  entry.config = std::move(server);
  entry.seen = {};
  entry.sampled = {};
  entry.settled = false;
  show(entry, fresh_status(entry.config));
  connect(entry);
  if (!added)
    forget_resources_of(entry.config.name);
}

failure mcp_hub_state::on_change(const change_server& change) {
  if (ending != hub_end_phase::none)
    return {errc::shutting_down, ""};
  auto* found = find(change.server);
  if (found == nullptr)
    return unknown(change.server);
  switch (change.verb) {
  case server_verb::enable:
    enable(*found);
    break;
  case server_verb::disable:
    if (std::exchange(found->config.enabled, false))
      disable(*found, "disabled");
    break;
  case server_verb::remove:
    remove(*found);
    break;
  case server_verb::retry:
    return retry(*found);
  }
  return {};
}

void mcp_hub_state::enable(hub_server& server) {
  if (std::exchange(server.config.enabled, true))
    return;
  server.seen = {};
  show(server, fresh_status(server.config));
  connect(server);
}

failure mcp_hub_state::retry(hub_server& server) {
  if (!server.config.enabled)
    return {errc::request_invalid,
            fmt::format("MCP server '{}' is disabled; enable it first.", server.config.name)};
  server.crashes = 0;
  if (server.connection)
    self->send(server.connection, atom::restart_v);
  else
    connect(server);
  return {};
}

void mcp_hub_state::disable(hub_server& server, std::string_view what) {
  lose_calls(server,
             {errc::server_lost, fmt::format("MCP server '{}' was {}.", server.config.name, what)});
  close(server);
}

void mcp_hub_state::remove(hub_server& server) {
  disable(server, "removed");
  auto gone = server.config.name;
  std::erase(order, &server);
  servers.erase(gone);
  keeping.forget_tools(gone);
  sets.invalidate();
  settle(); // nobody has to wait for this server any more
  tell("serverRemoved", gone, fmt::format(R"({{"name":{}}})", to_json(gone)));
  forget_resources_of(gone);
}

// -- what connections report ---------------------------------------------------------------------

void mcp_hub_state::on_status(server_status& status) {
  auto* server = sender_server(status.name);
  if (server == nullptr)
    return; // sent by a connection that was replaced
  if (status.health != server_health::success)
    forgive(*server);
  show(*server, std::move(status));
}

void mcp_hub_state::show(hub_server& server, server_status now) {
  auto before = std::exchange(server.status, std::move(now));
  auto& status = server.status;
  status.name = server.config.name;
  status.type = server.config.type;
  status.enabled = server.config.enabled;
  auto was_up = before.health == server_health::success;
  auto is_up = status.health == server_health::success;
  if (is_up && !was_up)
    server.up_since = self->clock().now();
  if (was_up && !is_up)
    questions.drop(server.config.name);
  if (is_up || status.health == server_health::error)
    server.settled = true;
  if (is_up && &*server.known != &*status.offered) {
    server.known = status.offered;
    look_at_tools(server);
  }
  if (&*before.offered != &*status.offered)
    sets.invalidate();
  auto listed_again =
      &*before.resources != &*status.resources && !before.resources->resources.empty();
  auto is_back = status.phase == server_phase::connected && before.phase != status.phase;
  if (is_up && (!was_up || is_back || listed_again)) // changes in between were told to nobody
    forget_resources_of(server.config.name);
  if (!watchers.empty())
    tell_of_change(server, before);
  settle();
}

void mcp_hub_state::show_phase(hub_server& server, server_phase phase) {
  if (server.status.phase == phase)
    return;
  auto status = server.status;
  status.phase = phase;
  show(server, std::move(status));
}

bool mcp_hub_state::all_settled(bool with_lists) const {
  if (keeping.loading() && ending < hub_end_phase::closing)
    return false;
  return ending >= hub_end_phase::closing ||
         std::all_of(order.begin(), order.end(), [=](auto* each) {
           auto lists = with_lists && each->status.health == server_health::success
                            ? each->status.lists_due
                            : 0;
           return !each->config.enabled || (each->settled && lists == 0);
         });
}

void mcp_hub_state::settle() {
  auto somebody_waits =
      !waiting.empty() || waiters.any(hub_milestone::settled) || waiters.any(hub_milestone::listed);
  if (!somebody_waits || !all_settled())
    return;
  for (auto& each : std::exchange(waiting, {}))
    self->send(each.client, snapshot_for(each.ask));
  waiters.answer(hub_milestone::settled);
  if (all_settled(true))
    waiters.answer(hub_milestone::listed);
}

caf::result<atom::done> mcp_hub_state::on_settled(bool with_lists) {
  if (all_settled(with_lists))
    return atom::done_v;
  return waiters.add(with_lists ? hub_milestone::listed : hub_milestone::settled,
                     self->make_response_promise<atom::done>());
}

server_list mcp_hub_state::list_servers() const {
  server_list list{{}, leases.active_flow_count()};
  for (const auto* each : order)
    list.servers.push_back(each->status);
  return list;
}

} // namespace troupe

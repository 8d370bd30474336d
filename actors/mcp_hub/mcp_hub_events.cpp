// Watchers of an mcp_hub.
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "actors/registry.hpp"
#include "messages/json.hpp"
#include "messages/wire/mcp/mcp_view.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

/// Whether the watchers of one kind of list have news.
template <class T>
bool differs(const frozen<T>& before, const frozen<T>& now) {
  return &*before != &*now;
}

} // namespace

void mcp_hub_state::on_watch(const watch_mcp& watch) {
  auto who = caf::actor_cast<mcp_subscriber_actor>(self->current_sender());
  if (!who)
    return;
  auto address = who.address();
  auto monitored = leases.knows(address) || watchers.contains(address);
  if (!watchers.add(who, watch))
    return self->send(who, mcp_event{"lagged", "", {R"({"dropped":0,"refused":true})"}});
  if (!monitored)
    self->monitor(address);
  if (watch.from_now_on)
    return;
  for (const auto* each : order)
    self->send(who, mcp_event{"server", each->status.name, {server_json(each->status)}});
}

void mcp_hub_state::on_event(mcp_event& news) {
  if (news.kind == "resourceUpdated") {
    std::string uri;
    if (!mcp::parse_updated(news.data.text, uri))
      forget_resources_of(news.server, uri);
  }
  if (!watchers.empty())
    watchers.tell(self, std::move(news));
}

void mcp_hub_state::tell(std::string_view kind, const std::string& server, std::string data) const {
  watchers.tell(self, {std::string{kind}, server, {std::move(data)}});
}

void mcp_hub_state::tell_of_change(const hub_server& server, const server_status& before) const {
  const auto& status = server.status;
  tell("server", status.name, server_json(status));
  auto data = fmt::format(R"({{"server":{}}})", to_json(status.name));
  if (differs(before.offered, status.offered))
    tell("toolsChanged", status.name, data);
  if (differs(before.resources, status.resources))
    tell("resourcesChanged", status.name, data);
  if (differs(before.prompts, status.prompts))
    tell("promptsChanged", status.name, data);
}

void mcp_hub_state::forget_resources_of(const std::string& server, const std::string& uri) {
  if (auto store = whereis<resource_store_actor>(self->system(), resource_store_name))
    self->send(store, forget_resources{server, uri});
}

} // namespace troupe

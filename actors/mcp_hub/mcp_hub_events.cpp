// Watchers of an mcp_hub.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "actors/registry.hpp"
#include "messages/json.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/mcp/mcp_view.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

/// Whether the watchers of one kind of list have news.
template <class T>
bool differs(const frozen<T>& before, const frozen<T>& now) {
  return &*before != &*now;
}

/// How many changed tools a line names.
constexpr size_t named_changes = 10;

/// Returns e.g. "add (description, inputSchema), sum (as it was first)".
std::string list_of(const std::vector<seen_tools::change>& changed) {
  std::string out;
  for (size_t i = 0; i < std::min(changed.size(), named_changes); ++i)
    out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", changed[i].tool,
                       changed[i].parts.empty() ? "as it was first" : changed[i].parts);
  if (changed.size() > named_changes)
    out += fmt::format(" and {} more", changed.size() - named_changes);
  return out;
}

} // namespace

/// A server may change a tool at any time. An automatic approval was given to another one.
void mcp_hub_state::look_at_tools(hub_server& server) {
  sets.invalidate();
  const auto news = server.seen.take(*server.known);
  if (news.first)
    keeping.keep_tools(server);
  if (news.changed.empty())
    return;
  const auto is_approved = [&server](const auto& each) {
    return approves_tool(server.config, each.tool);
  };
  const auto text = list_of(news.changed);
  const auto level =
      std::ranges::any_of(news.changed, is_approved) ? log_level::warning : log_level::info;
  write_log(config.log.get(), level, "mcp_tools_changed",
            log_line{}
                .add("server", server.config.name)
                .add("tools", text)
                .add("message", "automatic approvals hold for tools as they were first seen; "
                                "change the server's entry, or disable and enable it, to renew "
                                "them"));
  if (server.connection)
    self->send(server.connection,
               server_note{fmt::format("tools have changed since they were first seen: {}; "
                                       "automatic approvals hold for the first definition only",
                                       text)});
}

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

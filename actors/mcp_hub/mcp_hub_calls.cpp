// Lists of tools and calls of an mcp_hub.
#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "messages/mcp/tool_pattern.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/mcp/methods.hpp"

namespace troupe {

namespace {

/// How long a chat waits for servers that are still connecting. 250 ms are promised; the other
/// 50 ms are for a machine on which many servers start at that moment.
constexpr std::chrono::milliseconds patience{200};

/// Returns how long a chat waits from now on. The time that its question took to get here counts:
/// the hub's thread may have been busy with the very servers that the chat asks for.
hub_clock::duration patience_left(int64_t asked_us, hub_clock::time_point now) {
  if (asked_us == 0)
    return patience;
  const auto asked = hub_clock::time_point{std::chrono::microseconds{asked_us}};
  return std::clamp<hub_clock::duration>(asked + patience - now, {}, patience);
}

/// Returns what is wrong with a request, whatever the server.
failure check_ask(const mcp_ask& ask) {
  if (ask.method == "tools/call")
    return {errc::request_invalid, "tools/call is not a plain request; call the tool instead"};
  if (mcp::find_method(ask.method) == nullptr)
    return {errc::request_invalid,
            fmt::format("'{}' is not a method that clients may send to an MCP server", ask.method)};
  if (!ask.params.text.empty() && kind_of(ask.params.text) != json_kind::object)
    return {errc::request_invalid, "params must be an object"};
  return {};
}

} // namespace

// -- tools ---------------------------------------------------------------------------------------

void mcp_hub_state::on_list(list_tools& ask) {
  auto client = caf::actor_cast<tool_client_actor>(self->current_sender());
  if (all_settled())
    return self->send(client, snapshot_for(ask));
  const auto now = self->clock().now();
  const auto left = patience_left(ask.asked_us, now);
  waiting.push_back({std::move(client), std::move(ask), now + left});
  self->delayed_send(self, left, atom::tick_v);
}

void mcp_hub_state::on_tick() {
  auto now = self->clock().now();
  auto first = std::exchange(waiting, {});
  for (auto& each : first) {
    if (each.due <= now)
      self->send(each.client, snapshot_for(each.ask));
    else
      waiting.push_back(std::move(each));
  }
}

tool_snapshot mcp_hub_state::snapshot_for(const list_tools& ask) {
  for (const auto& asked : ask.servers)
    if (!keeping.loading() && !knows(asked))
      return {{}, asked, false, ask.turn_id};
  if (sets.stale()) {
    std::vector<tool_source> sources;
    for (const auto* each : order)
      sources.push_back({each->config.name, &*each->known, &*each->known == &*each->status.offered,
                         &each->config, &each->seen});
    sets.index(sources);
  }
  const auto& set = sets.get(ask);
  if (const auto count = sets.take_left_out())
    tell_left_out(count, ask.most);
  return {set, "", attached.maybe(ask.session_id), ask.turn_id};
}

/// A choice can be a server's name, or that of one of its tools behind it and a slash.
bool mcp_hub_state::knows(const std::string& choice) {
  return find(choice) != nullptr || std::any_of(order.begin(), order.end(), [&](auto* each) {
           return is_about(choice, each->config.name);
         });
}

void mcp_hub_state::tell_left_out(size_t count, size_t most) const {
  log_line line;
  line.add("tools", count + most).add("most", most);
  line.add("message",
           fmt::format("{} tools are left out of requests: the model takes {} (maxTools). Choose "
                       "with includeTools or excludeTools of the servers",
                       count, most));
  write_log(config.log.get(), log_level::warning, "tools_left_out", line);
}

// -- calls ---------------------------------------------------------------------------------------

failure mcp_hub_state::usable(const std::string& server) {
  const auto* found = find(server);
  if (found == nullptr)
    return unknown(server);
  if (found->connection && ending == hub_end_phase::none)
    return {};
  if (found->config.enabled && !found->config.fault.empty())
    return {errc::config_invalid, found->config.fault};
  return {errc::server_unavailable,
          fmt::format("MCP server '{}' is {}.", server,
                      found->config.enabled ? "not available" : "disabled")};
}

void mcp_hub_state::on_call(call_tool& call, std::shared_ptr<tool_sink> sink) {
  auto client = caf::actor_cast<tool_client_actor>(self->current_sender());
  if (!client)
    return;
  auto bad = usable(call.server);
  if (!bad && !offers_tool(find(call.server)->config, call.tool))
    bad = {errc::tool_unknown, fmt::format("The tool '{}' of MCP server '{}' is left out by its "
                                           "includeTools or excludeTools.",
                                           call.tool, call.server)};
  if (bad) {
    tool_outcome refused{std::move(call.tool_call_id), bad.code, bad.text(), {}};
    return sink ? sink->outcome(refused) : self->send(client, std::move(refused));
  }
  const auto& connection = find(call.server)->connection;
  auto number = acquire({0,
                         client.address(),
                         std::move(call.server),
                         std::move(call.tool_call_id),
                         std::move(call.session_id),
                         call.answers,
                         {},
                         std::move(sink)});
  self->send<caf::message_priority::high>( // like a server_cancel, which must not overtake its call
      connection, server_call{number, "tools/call", std::move(call.tool), std::move(call.arguments),
                              call.as_task, std::move(call.traceparent), call.from_node});
}

caf::result<mcp_answer> mcp_hub_state::on_ask(mcp_ask& ask) {
  auto bad = check_ask(ask);
  if (!bad)
    bad = usable(ask.server);
  auto holder = caf::actor_cast<caf::actor_addr>(self->current_sender());
  if (!bad && !holder)
    bad = {errc::request_invalid, "nobody waits for the answer"};
  if (bad)
    return mcp_answer{std::move(bad), {}};
  auto promise = self->make_response_promise<mcp_answer>();
  auto connection = find(ask.server)->connection;
  auto number = acquire(
      {0, std::move(holder), std::move(ask.server), std::move(ask.id), {}, false, promise, {}});
  self->send<caf::message_priority::high>(connection, server_call{number, std::move(ask.method), "",
                                                                  std::move(ask.params.text), false,
                                                                  "", ask.from_node});
  return promise;
}

/// A caller usually calls again, so it is monitored until its end and not call by call.
uint64_t mcp_hub_state::acquire(tool_lease lease) {
  if (!leases.knows(lease.holder) && !watchers.contains(lease.holder))
    self->monitor(lease.holder);
  return leases.acquire(std::move(lease));
}

std::optional<tool_lease> mcp_hub_state::release(uint64_t call) {
  auto lease = leases.release(call);
  if (lease)
    questions.decline_of(*lease);
  return lease;
}

void mcp_hub_state::on_outcome(server_outcome& outcome) {
  auto lease = release(outcome.call);
  if (!lease)
    return; // the call was cancelled, or its holder is gone
  if (lease->promise.pending())
    lease->promise.deliver(
        mcp_answer{{outcome.error, std::move(outcome.text)}, std::move(outcome.result)});
  else
    answer(*lease, {std::move(lease->tool_call_id), outcome.error, std::move(outcome.text),
                    std::move(outcome.result)});
  close_when_idle();
}

void mcp_hub_state::answer(const tool_lease& lease, tool_outcome how) {
  if (lease.sink)
    lease.sink->outcome(how);
  else
    self->send(caf::actor_cast<tool_client_actor>(lease.holder), std::move(how));
}

void mcp_hub_state::on_progress(const server_progress& report) {
  const auto* lease = leases.find(report.call);
  if (lease == nullptr || lease->promise.pending())
    return;
  tool_progress seen{lease->tool_call_id, report.progress, report.total, report.message};
  if (auto sink = lease->sink) // a copy: the sink may cancel the call
    sink->progress(seen);
  else
    self->send(caf::actor_cast<tool_client_actor>(lease->holder), std::move(seen));
}

void mcp_hub_state::on_cancel(const cancel_call& cancelled) {
  auto holder = caf::actor_cast<caf::actor_addr>(self->current_sender());
  for (auto call : leases.held_by(holder))
    if (leases.find(call)->tool_call_id == cancelled.tool_call_id)
      cancel(call, cancelled.reason);
}

void mcp_hub_state::cancel(uint64_t call, const std::string& reason) {
  auto lease = release(call);
  if (lease && lease->promise.pending())
    lease->promise.deliver(mcp_answer{{errc::aborted, reason}, {}});
  auto* used = lease ? find(lease->server) : nullptr;
  if (used != nullptr && used->connection)
    self->send<caf::message_priority::high>(used->connection, server_cancel{call, reason});
  close_when_idle();
}

void mcp_hub_state::lose_calls(const hub_server& server, const failure& why) {
  auto of_server = [&](const auto& lease) { return lease.server == server.config.name; };
  for (auto call : leases.select(of_server)) {
    if (server.connection)
      self->send<caf::message_priority::high>(server.connection, server_cancel{call, why.text()});
    server_outcome lost{call, why.code, why.text(), {}};
    on_outcome(lost);
  }
}

} // namespace troupe

#include "actors/mcp_hub.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/mcp_connection.hpp"
#include "actors/quiet.hpp"
#include "actors/tool_leases.hpp"
#include "actors/tool_sets.hpp"

namespace troupe {

namespace {

/// A chat waits at most so long for servers that are still connecting.
constexpr std::chrono::milliseconds patience{250};
/// How long an orderly disconnect of one server may take.
constexpr std::chrono::seconds disconnect_limit{8};

struct mcp_hub_state {
  static inline const char* name = "troupe.mcp_hub";

  explicit mcp_hub_state(mcp_hub_actor::pointer ptr) : self{ptr} {}

  mcp_hub_actor::behavior_type make_behavior() {
    return {
        [this](list_tools& ask) { on_list(ask); },
        [this](call_tool& call) { on_call(call); },
        [this](const cancel_call& cancel) { on_cancel(cancel); },
        [this](atom::status) { return list_servers(); },
        [this](atom::settled) { return on_settled(); },
        [this](atom::disconnect) { return on_disconnect(); },
        [this](const server_status& status) { on_status(status); },
        [this](server_outcome& outcome) { on_outcome(outcome); },
        [this](const server_progress& report) { on_progress(report); },
        [this](atom::tick) { answer_waiting(); },
        [this](atom::restart, const std::string& server) { on_restart(server); },
    };
  }

  struct entry {
    mcp_server_config config;
    mcp_connection_actor connection;
    server_status status;
    bool settled = false; ///< connected or failed at least once
    uint32_t crashes = 0;
  };

  void start(mcp_hub_config config) {
    quiet(self);
    self->set_exit_handler([this](caf::exit_msg& msg) { on_exit(msg); });
    port = config.port;
    for (auto& each : config.servers) {
      if (!each.enabled)
        continue;
      servers.push_back({each, spawn_mcp_connection(self, *port, each), {}, false, 0});
      servers.back().status.name = each.name;
    }
  }

  entry* find(const std::string& server) {
    auto found = std::find_if(servers.begin(), servers.end(),
                              [&](const auto& each) { return each.config.name == server; });
    return found == servers.end() ? nullptr : &*found;
  }

  // -- tools -------------------------------------------------------------------------------------

  bool all_settled() const {
    return std::all_of(servers.begin(), servers.end(),
                       [](const auto& each) { return each.settled; });
  }

  void on_list(list_tools& ask) {
    auto client = caf::actor_cast<tool_client_actor>(self->current_sender());
    if (all_settled())
      return self->send(client, snapshot_for(ask));
    waiting.emplace_back(std::move(client), std::move(ask));
    self->delayed_send(self, patience, atom::tick_v);
  }

  void answer_waiting() {
    for (auto& [client, ask] : std::exchange(waiting, {}))
      self->send(client, snapshot_for(ask));
  }

  tool_snapshot snapshot_for(const list_tools& ask) {
    for (const auto& name_asked : ask.servers)
      if (find(name_asked) == nullptr)
        return {{}, name_asked};
    std::vector<const server_status*> statuses;
    for (const auto& each : servers)
      statuses.push_back(&each.status);
    return {sets.get(ask, statuses), ""};
  }

  void on_status(const server_status& status) {
    auto* known = find(status.name);
    if (known == nullptr)
      return;
    known->status = status;
    known->settled = known->settled || status.health == server_health::success ||
                     status.health == server_health::error;
    sets.invalidate();
    if (!all_settled())
      return;
    answer_waiting();
    for (auto& each : std::exchange(settling, {}))
      each.deliver(atom::done_v);
  }

  caf::result<atom::done> on_settled() {
    if (all_settled())
      return atom::done_v;
    settling.push_back(self->make_response_promise<atom::done>());
    return settling.back();
  }

  server_list list_servers() {
    server_list list{{}, leases.active_flow_count()};
    for (const auto& each : servers)
      list.servers.push_back(each.status);
    return list;
  }

  // -- calls -------------------------------------------------------------------------------------

  void on_call(call_tool& call) {
    auto* found = find(call.server);
    if (found == nullptr || !found->connection || disconnecting) {
      auto text = "MCP server '" + call.server + "' is not available.";
      return answer(self->current_sender(),
                    {call.tool_call_id, errc::server_unavailable, text, {}});
    }
    auto holder = caf::actor_cast<caf::actor_addr>(self->current_sender());
    if (leases.held_by(holder) == 0)
      self->monitor(holder);
    auto number = leases.acquire(holder, std::move(call.tool_call_id), call.server);
    self->send(found->connection,
               server_call{number, std::move(call.tool), std::move(call.arguments)});
  }

  void answer(const caf::strong_actor_ptr& client, tool_outcome outcome) {
    self->send(caf::actor_cast<tool_client_actor>(client), std::move(outcome));
  }

  void on_outcome(server_outcome& outcome) {
    auto lease = release(outcome.call);
    if (!lease)
      return; // cancelled, or its holder is gone
    answer(caf::actor_cast<caf::strong_actor_ptr>(lease->holder),
           {std::move(lease->tool_call_id), outcome.error, std::move(outcome.text),
            std::move(outcome.result)});
  }

  void on_progress(const server_progress& report) {
    const auto* lease = leases.find(report.call);
    if (lease == nullptr)
      return;
    auto client = caf::actor_cast<caf::strong_actor_ptr>(lease->holder);
    self->send(caf::actor_cast<tool_client_actor>(client),
               tool_progress{lease->tool_call_id, report.progress, report.total, report.message});
  }

  std::optional<tool_lease> release(uint64_t call) {
    auto lease = leases.release(call);
    if (lease && leases.held_by(lease->holder) == 0)
      self->demonitor(lease->holder);
    if (lease && leases.active_flow_count() == 0 && disconnecting)
      disconnect_all();
    return lease;
  }

  void on_cancel(const cancel_call& cancel) {
    auto holder = caf::actor_cast<caf::actor_addr>(self->current_sender());
    cancel_where(
        [&](const auto& lease) {
          return lease.holder == holder && lease.tool_call_id == cancel.tool_call_id;
        },
        cancel.reason);
  }

  template <class Predicate>
  void cancel_where(Predicate chosen, const std::string& reason) {
    for (auto call : leases.select(chosen)) {
      auto lease = release(call);
      auto* used = lease ? find(lease->server) : nullptr;
      if (used && used->connection)
        self->send<caf::message_priority::high>(used->connection, server_cancel{call, reason});
    }
  }

  void on_down(const caf::down_msg& msg) {
    cancel_where([&](const auto& lease) { return lease.holder == msg.source; }, "caller ended");
  }

  // -- crashes and the end -----------------------------------------------------------------------

  void on_exit(const caf::exit_msg& msg) {
    auto ended = [&](const auto& each) { return each.connection && each.connection == msg.source; };
    auto found = std::find_if(servers.begin(), servers.end(), ended);
    if (found == servers.end()) {
      if (msg.reason != caf::exit_reason::normal)
        self->quit(msg.reason); // of the supervisor
      return;
    }
    found->connection = nullptr;
    if (msg.reason == caf::exit_reason::normal)
      return;
    auto lost_by = [&](const auto& lease) { return lease.server == found->config.name; };
    for (auto call : leases.select(lost_by)) {
      server_outcome lost{call, errc::server_lost, failure{errc::server_lost, ""}.text(), {}};
      on_outcome(lost);
    }
    report_crash(found->status);
    self->delayed_send(self, reconnect_delay(found->crashes++), atom::restart_v,
                       found->config.name);
  }

  /// Says what the connection itself can not say any more.
  void report_crash(server_status status) {
    status.health = server_health::error;
    status.phase = server_phase::waiting_to_reconnect;
    status.error = errc::server_lost;
    status.error_text = failure{errc::server_lost, ""}.text();
    status.offered = {};
    on_status(status);
  }

  void on_restart(const std::string& server) {
    auto* crashed = find(server);
    if (crashed && !crashed->connection && !disconnecting)
      crashed->connection = spawn_mcp_connection(self, *port, crashed->config);
  }

  caf::result<atom::done> on_disconnect() {
    auto begun = std::exchange(disconnecting, true);
    if (begun && closing == 0 && leases.active_flow_count() == 0)
      return atom::done_v;
    disconnected.push_back(self->make_response_promise<atom::done>());
    auto promise = disconnected.back(); // what follows may empty the list
    if (!begun && leases.active_flow_count() == 0)
      disconnect_all();
    return promise;
  }

  void disconnect_all() {
    for (auto& each : servers)
      if (each.connection) {
        ++closing;
        self->request(each.connection, disconnect_limit, atom::disconnect_v)
            .then([this](atom::done) { one_closed(); },
                  [this](const caf::error&) { one_closed(); });
      }
    if (closing == 0)
      all_closed();
  }

  void one_closed() {
    if (--closing == 0)
      all_closed();
  }

  void all_closed() {
    for (auto& each : std::exchange(disconnected, {}))
      each.deliver(atom::done_v);
  }

  mcp_hub_actor::pointer self;
  mcp_port* port = nullptr;
  std::vector<entry> servers; ///< in the order of the configuration
  tool_leases leases;
  tool_sets sets;
  std::vector<std::pair<tool_client_actor, list_tools>> waiting;
  std::vector<caf::typed_response_promise<atom::done>> settling;
  bool disconnecting = false;
  size_t closing = 0;
  std::vector<caf::typed_response_promise<atom::done>> disconnected;
};

mcp_hub_actor::behavior_type mcp_hub(mcp_hub_actor::stateful_pointer<mcp_hub_state> self,
                                     mcp_hub_config config) {
  auto& state = self->state;
  state.start(std::move(config));
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg); });
  return state.make_behavior();
}

} // namespace

mcp_hub_actor spawn_mcp_hub(caf::local_actor& parent, mcp_hub_config config) {
  return parent.spawn<caf::linked>(mcp_hub, std::move(config));
}

} // namespace troupe

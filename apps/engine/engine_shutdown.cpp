#include <algorithm>
#include <chrono>
#include <thread>

#include "actors/urgent.hpp"
#include "apps/engine/engine_impl.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long a hub may take to answer, beyond the drain limit.
constexpr std::chrono::seconds hub_limit{5};
/// How long the connections of clients may take to send their last bytes.
constexpr std::chrono::seconds flush_limit{2};
/// How long the store may take for the last commit.
constexpr std::chrono::seconds commit_limit{10};
/// How long the database of a cluster may take to know that this node drains, and that it leaves.
constexpr std::chrono::seconds member_limit{3};
/// How long all MCP servers together may take to end in order.
constexpr std::chrono::seconds disconnect_limit{10};

} // namespace

void engine::impl::shut_down(milliseconds drain_limit) {
  { const std::lock_guard guard{listening}; } // waits for a listen(); later ones are refused
  log_shutdown("draining");
  const auto begun = steady_clock::now();
  const auto drained = begun + drain_limit;
  drain_nodes();
  if (in_cluster())
    ask<atom::done, cluster_member_actor>(cluster_member_name, member_limit, atom::drain_v);
  ask<atom::done, session_hub_actor>(session_hub_name, drain_limit + hub_limit, atom::drain_v,
                                     caf::timespan{drain_limit});
  await_other_nodes(begun, drain_limit);
  if (server)
    server->stop_accepting();
  api.end_streams();
  log_shutdown("disconnecting");
  auto left = std::chrono::duration_cast<milliseconds>(drained - steady_clock::now());
  // Servers are disconnected when no call runs on them any more.
  auto in_time = ask<atom::done, mcp_hub_for_operators>(
      mcp_hub_name, std::max<milliseconds>(left, flush_limit), atom::disconnect_v);
  if (in_time) {
    flush_connections();
  } else {
    end_calls();
    close_servers();
    ask<atom::done, mcp_hub_for_operators>(mcp_hub_name, disconnect_limit, atom::disconnect_v);
  }
  close_servers();
  if (store) // after all actors that save
    ask<atom::done, conversation_store_actor>(conversation_store_name, commit_limit, atom::drain_v);
  if (in_cluster()) // after all that this node has claimed
    leave_cluster();
  kept.close();
  log_shutdown("done");
}

void engine::impl::leave_cluster() {
  ask<atom::done, cluster_member_actor>(cluster_member_name, member_limit, atom::disconnect_v);
}

void engine::impl::wait_for_work(milliseconds limit) {
  auto until = steady_clock::now() + limit;
  ask<atom::done, session_hub_actor>(session_hub_name, limit + hub_limit, atom::drain_v,
                                     caf::timespan{limit});
  auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
  if (!ask<atom::done, mcp_hub_for_operators>(
          mcp_hub_name, std::max<milliseconds>(left, flush_limit), atom::disconnect_v))
    end_calls();
}

/// Cancels the calls that still run, while the servers are connected to be told.
void engine::impl::end_calls() {
  host.end_calls();
  if (auto resources = whereis<resource_store_actor>(system, resource_store_name))
    exit_now(resources, {}, caf::exit_reason::user_shutdown);
}

/// Logs a phase of the shutdown.
void engine::impl::log_shutdown(std::string_view phase) {
  if (!takes(config.log.get(), log_level::info))
    return;
  log_line line;
  line.add("phase", phase).add("connections", load().connections);
  write_log(config.log.get(), log_level::info, "shutdown", line);
}

void engine::impl::close_servers() {
  for (auto* each : {server.get(), node_server.get()})
    if (each != nullptr)
      each->close();
}

/// Gives answers that are complete the time to reach their clients.
void engine::impl::flush_connections() {
  auto limit = steady_clock::now() + flush_limit;
  while (load().connections > 0 && steady_clock::now() < limit)
    std::this_thread::sleep_for(milliseconds{1});
}

} // namespace troupe

// The parts of an engine.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/send.hpp>

#include "actors/running_turn_count.hpp"
#include "actors/supervisor.hpp"
#include "apps/engine/engine.hpp"
#include "apps/engine/http/http_api.hpp"
#include "apps/engine/http/nodes/node_channels.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/library/blocking_request.hpp"
#include "apps/engine/library/conversations_impl.hpp"
#include "apps/engine/library/mcp_host_impl.hpp"
#include "apps/model/scripted_model.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/store/store_port.hpp"
#include "transport/http_client/http_client.hpp"
#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace troupe {

class shards;

/// Configures CAF: our message types and the scheduler.
struct actor_setup : caf::actor_system_config {
  /// @param scheduler "loop", "sharing" or "stealing"
  /// @param on run the actors with "loop"; outlive the system
  actor_setup(const std::string& scheduler, shards& on);
};

/// Its destructor makes the loops' threads release CAF's logger. A thread that spawns an actor
/// shares the logger, and ~actor_system waits for the last such thread. It must be destroyed before
/// the system, and after every object whose handlers spawn.
class loops_without_logger {
public:
  /// @param of outlive it
  explicit loops_without_logger(shards& of) : of_{of} {}
  ~loops_without_logger();
  loops_without_logger(const loops_without_logger&) = delete;
  loops_without_logger& operator=(const loops_without_logger&) = delete;

private:
  shards& of_;
};

/// An engine's parts, in the order of construction; they are destroyed in reverse order.
struct engine::impl {
  explicit impl(engine_config given);
  ~impl();

  /// Starts the actors. Not a part of the constructor: if this throws, the destructor ends those
  /// that there are, and the actor system does not wait for them for ever.
  void start();

  /// Starts the scripted model, with a real socket, if no model is configured; else nullptr.
  std::unique_ptr<scripted_model> script_if_needed();
  std::vector<child_spec> children();
  child_spec store_child(std::shared_ptr<const running_turn_count> turns);
  child_spec reader_child();
  /// Adds the actors of a node of a cluster, if this is one.
  void add_cluster(std::vector<child_spec>& out, std::shared_ptr<const running_turn_count> turns);
  /// Adds the actor by which limits of keys and owners hold over all nodes.
  void add_limits(std::vector<child_spec>& out);
  /// Returns what connects to MCP servers, wherever in the cluster they are.
  mcp_port& servers();
  bool in_cluster() const { return store && store->cluster() != nullptr; }

  void log_start();

  /// Becomes a node of the cluster, if the configuration says so; engine_nodes.cpp.
  void join_nodes();
  /// Gives the lease back.
  void leave_cluster();
  /// From now on other nodes get new turns.
  void drain_nodes();
  /// Waits until clients that connect see that this node drains, and what it has handed on is over.
  void await_other_nodes(std::chrono::steady_clock::time_point begun,
                         std::chrono::milliseconds drain_limit);

  failure serve(std::string_view address);
  client_load load() const;

  /// The steps of engine::shutdown.
  void shut_down(std::chrono::milliseconds drain_limit);
  /// Waits for turns and for MCP calls; calls that run after the limit are cancelled. Any thread.
  void wait_for_work(std::chrono::milliseconds limit);
  void end_calls();
  void flush_connections();
  void close_servers();
  void log_shutdown(std::string_view phase);

  /// Asks a hub and waits; nothing when it did not answer in time.
  template <class Answer, class Hub, class... Ask>
  std::optional<Answer> ask(caf::atom_value name, std::chrono::milliseconds limit, Ask... what) {
    return ask_hub<Answer, Hub>(system, name, limit, std::move(what)...);
  }

  /// Sends a message of high priority to the session hub. Any thread.
  template <class... What>
  void tell_sessions(What... what) {
    if (auto hub = whereis<session_hub_actor>(system, session_hub_name))
      caf::anon_send<caf::message_priority::high>(hub, std::move(what)...);
  }

  engine_config config;
  shards loops;
  http_client http;
  mcp_channels channels;
  std::unique_ptr<node_channels> remote_channels; ///< nullptr: this is no node of a cluster
  std::unique_ptr<scripted_model> scripted;
  std::unique_ptr<store_port> store; ///< nullptr: chats live in memory only
  actor_setup setup;
  std::unique_ptr<turn_forwarder> nodes; ///< the other nodes of the cluster; nullptr: there is none
  caf::actor_system system;
  loops_without_logger without_logger{loops};
  caf::actor supervisor;
  std::shared_ptr<void> mcp_log; ///< its destructor ends the log lines about MCP servers
  mcp_host_impl host;
  conversations_impl kept{system, config};
  http_api api;
  std::unique_ptr<http_server> server;
  std::atomic<http_server*> serving{nullptr}; ///< the server, once it listens
  std::unique_ptr<http_server> node_server;   ///< for the other nodes
  std::mutex listening;                       ///< held to make the server; no actor, no loop waits
  std::atomic<bool> ending{false};            ///< shutdown() was called
  std::atomic<bool> ended{false};             ///< shutdown() is over
  std::once_flag down;
};

} // namespace troupe

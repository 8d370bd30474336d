// Where the MCP servers are of which there is one in the cluster.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "messages/cluster/cluster_store.hpp"
#include "messages/cluster/server_holder.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

/// The part of a cluster_member that takes servers for this node, gives them back, and tells the
/// links of this node where each server is. Nothing is asked while no link wants a server. A link
/// that has a server and loses it closes it before this node takes it again. The actor's thread.
///
///     nobody has it --take--> here --drains, others serve--> leaving --closed--> nobody has it
///                              '--the node was cut off, or taken for dead--> closed at once
class server_assignments {
public:
  using clock = std::chrono::steady_clock;

  /// A server whose link is gone, and comes back within this time, stays here: the connection may
  /// be about to be made again.
  static constexpr std::chrono::seconds idle_limit{60};

  /// @param self, store outlive this
  server_assignments(cluster_member_actor::pointer self, cluster_store& store)
      : self_{self}, store_{store} {}

  void on_want(const want_server& want);     ///< of the current sender
  void on_closed(const server_closed& what); ///< of the current sender
  void on_down(const caf::actor_addr& who);

  /// Looks who has the servers; after each beat. @param drains this node gives its servers away
  void look(bool drains);

  /// Others may have this node's servers: they are closed at once.
  void lose();

private:
  struct link {
    single_server_link_actor who;
    server_assignment told;
    bool has = false; ///< it was told that the server is here, and has not closed it
  };
  struct server {
    std::vector<link> links; ///< mostly one
    clock::time_point idle_since{};
    bool to_release = false;
    bool is_wanted() const; ///< may be taken, or is here
  };

  void release_closed();
  void apply(const std::string& name, const server_assignment& place);
  void tell(link& to, const server_assignment& place);
  clock::time_point now() const { return self_->clock().now(); }

  cluster_member_actor::pointer self_;
  cluster_store& store_;
  std::map<std::string, server> servers_;
  bool drains_ = false;
};

} // namespace troupe

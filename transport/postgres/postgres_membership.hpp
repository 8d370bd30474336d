// The lease of a node in its database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/cluster/cluster_config.hpp"
#include "messages/cluster/member_port.hpp"
#include "messages/cluster/server_holder.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_self.hpp"

namespace troupe {

/// A node as it enters itself.
struct node_card {
  cluster_config cluster;
  std::string version;           ///< of the program
  int64_t (*now_ms)() = nullptr; ///< must not be nullptr
};

/// See member_port. A row in `nodes` has the lease; a connection of its own holds two locks that
/// end with it: one of the node, and one of the database that keeps out servers that want to be
/// alone with it. All times are compared by the server's clock.
///
///     out --join--> in --lease over, or lock gone and two beats missed: others mark it--> dead
///      ^            |  '<--beat--'                                                         |
///      '--leave-----'                     '<--beat: comes back as another incarnation------'
class postgres_membership : public member_port {
public:
  /// @param at without a node: the connection outlives incarnations
  postgres_membership(postgres_place at, node_card card, postgres_self self);

  /// Enters the node. Waits for an earlier start of it that has just ended, at most a lease and a
  /// second. @return store_locked: another node has this name, or a server is alone with the
  /// database; store_*
  failure join();

  member_beat beat(const member_news& news) override;
  failure sweep(uint64_t incarnation, uint64_t& freed, bool& more) override;
  node_list nodes() override;
  failure claimed(std::vector<claimed_chat>& out) override;
  failure give_back(const claimed_chat& chat) override;
  failure hold(const wanted_servers& want, held_servers& out) override;
  failure release(const std::string& server) override;
  failure leave() override;

private:
  failure try_join(uint64_t incarnation);
  void sweep_earlier();
  failure take_locks(uint64_t incarnation);
  failure renew(const member_news& news, member_beat& out, bool& is_in);

  postgres_connection db_;
  node_card card_;
  postgres_self self_;
  uint64_t epoch_ = 0; ///< of the connection that has the locks
  bool left_ = false;
};

/// Returns a number that names a start of a node among all others: 63 bits at random.
uint64_t make_incarnation();

/// See member_port::hold. One round trip while there is nothing to take. A row in `single_servers`
/// holds as long as the node's row in `nodes` that it names is not marked as dead, and only a node
/// with a lease makes one. @param me incarnation
failure hold_servers(postgres_connection& db, uint64_t me, const wanted_servers& want,
                     held_servers& out);

/// See member_port::release.
failure release_server(postgres_connection& db, uint64_t me, const std::string& server);

} // namespace troupe

// Nodes of a cluster in a PostgreSQL of the test program's own.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "messages/cluster/cluster_store.hpp"
#include "tests/transport/postgres/postgres_fixture.hpp"

namespace troupe::test {

/// A node: its store, and a connection for its saves.
struct tested_node {
  std::unique_ptr<store_port> port;
  std::unique_ptr<store_connection> store;

  member_port& members() const { return port->cluster()->members(); }
  uint64_t incarnation() const { return port->cluster()->lease()->incarnation(); }
  member_beat beat() const {
    auto out = members().beat({});
    INFO(out.error.text());
    CHECK_FALSE(out.error);
    return out;
  }
  /// Beats until something is so; fails the test if it never is.
  template <class Condition>
  void beat_until(Condition condition) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    for (auto now = beat(); !condition(now); now = beat())
      REQUIRE(std::chrono::steady_clock::now() < until);
  }
  /// Beats until it may judge about others.
  void settle() const {
    const auto lease = port->cluster()->lease();
    beat_until([&](const member_beat&) { return lease->is_steady(); });
  }
  /// Ends as a process does that is killed: nothing of it is left but its row.
  void die() {
    store.reset();
    port.reset();
  }
};

/// A database for nodes. They beat when a test says so, and have short leases: a test says which of
/// them last.
class postgres_cluster_folder : public postgres_folder {
public:
  static constexpr std::chrono::milliseconds beat{10'000}, short_lease{100};

  postgres_options node_options(const std::string& name,
                                std::chrono::milliseconds lease = short_lease) const {
    auto out = options();
    out.cluster =
        cluster_config{name, "127.0.0.1:1", "http://" + name, "0123456789abcdef", beat, lease};
    out.version = "1.2.3";
    return out;
  }

  tested_node node(const std::string& name, std::chrono::milliseconds lease = short_lease) const {
    tested_node out;
    out.port = opened(node_options(name, lease));
    out.store = connected(*out.port);
    return out;
  }

  /// The leases of all nodes end at that time from now. @param when "1 hour"
  void lease_for(const std::string& when, const std::string& name) const {
    sql("UPDATE nodes SET lease_until = clock_timestamp() + interval '" + when +
        "' WHERE name = '" + name + "'");
  }
  void silent_for(const std::string& time, const std::string& name) const {
    sql("UPDATE nodes SET renewed = clock_timestamp() - interval '" + time + "' WHERE name = '" +
        name + "'");
  }
};

/// The first save of a turn of a new chat.
inline save_chat claiming(const std::string& chat, const std::string& turn = "t1") {
  auto out = saving(chat, {said(role::user, turn)});
  out.turn.turn_id = turn;
  out.turn.started_ms = 5;
  out.claim.takes = true;
  return out;
}

/// The first save of a turn of a chat that was loaded.
inline save_chat claiming_again(save_chat first, const chat_record& loaded) {
  first.keep = loaded.history.size();
  first.claim.version = loaded.version;
  first.claim.fence = loaded.fence;
  return first;
}

/// The last save of that turn.
inline save_chat ending(const std::string& chat, const save_answer& claimed) {
  auto out = saving(chat, {said(role::assistant, "done")}, 1);
  out.turn.turn_id = "t1";
  out.turn.started_ms = 5;
  out.turn.state = turn_state::ended;
  out.claim.gives = true;
  out.claim.version = claimed.version;
  out.claim.fence = claimed.fence;
  return out;
}

} // namespace troupe::test

// A connection to PostgreSQL: statements in one round trip, deadlines, reconnection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "messages/cluster/node_lease.hpp"
#include "messages/errors.hpp"
#include "transport/postgres/connection/postgres_deadline.hpp"
#include "transport/postgres/connection/postgres_hosts.hpp"
#include "transport/postgres/connection/postgres_rows.hpp"
#include "transport/postgres/connection/postgres_values.hpp"

namespace troupe {

/// Pauses that grow and are scattered: those who lost the same server, or wait for it, must not ask
/// all at once. One thread at a time.
class postgres_pauses {
public:
  using milliseconds = std::chrono::milliseconds;

  /// @param seed of the scatter
  explicit postgres_pauses(uint32_t seed) : source_{seed} {}

  /// Returns the pause after a server refused, or could not be reached: 50 ms, doubled up to a
  /// second.
  milliseconds after_refusal();

  /// Returns the pause after a server took a connection and gave no answer in time: half a second,
  /// doubled up to 4 s. It may be slow, and makes a process for each connection that is begun.
  milliseconds after_silence();

  /// Has the pauses after refusals begin again.
  void forget_refusals() { refused_ = {}; }
  /// Has all begin again, since a connection was of use for a while.
  void forget() { refused_ = silent_ = {}; }

private:
  /// Returns at least the half of it.
  milliseconds scattered(milliseconds time);

  std::minstd_rand source_;
  milliseconds refused_{}, silent_{}; ///< the last ones, unscattered
};

/// The parameters that connections are made with.
struct postgres_place {
  std::string url;                            ///< may hold a password: never shown
  std::string shown;                          ///< shown_postgres_url
  std::string settings;                       ///< SQL that each new connection begins with
  std::chrono::milliseconds patience{10'000}; ///< how long a call goes on through an outage
  /// The node that the connections are of, in a cluster. They bear its incarnation's name, by which
  /// others end those of a dead node; one that has an older name is made anew. nullptr: none
  std::shared_ptr<const node_lease> node = nullptr;
  std::chrono::milliseconds longest{20'000}; ///< time of a round trip that has no limit
  std::chrono::milliseconds try_time{3'000}; ///< of a try to connect
};

} // namespace troupe

struct pg_conn;

namespace troupe {

/// A connection in libpq's non-blocking pipeline mode. Statements are collected by add(), and run()
/// sends all of them and waits for their rows: one round trip, whatever their number. Each is
/// prepared at its first use. What is sent is bounded by what one call of a store brings.
///
/// A call that finds the connection lost waits for another one, as long as the patience; after a
/// call that waited in vain the next ones try once, and not before a second has passed, or more
/// where no answer came in time (postgres_pauses). One thread at a time, never a loop's: it blocks.
class postgres_connection {
public:
  using clock = std::chrono::steady_clock;

  explicit postgres_connection(postgres_place at);
  ~postgres_connection();
  postgres_connection(const postgres_connection&) = delete;
  postgres_connection& operator=(const postgres_connection&) = delete;

  /// Connects if there is no connection. Fails with store_failed: not there, refused, a server that
  /// is older than 13, or one whose texts are not UTF-8; the text says which.
  failure connect();

  /// Collects a statement. @param sql a literal: its address is the key
  void add(const char* sql, postgres_values values = {});

  /// Runs what was collected, and nothing behind the first statement that fails.
  /// @param out gets the rows of each statement in order; nullptr: they are dropped
  failure run(std::vector<postgres_rows>* out = nullptr);

  /// Runs one statement, and what was collected before. @param out its rows
  failure ask(const char* sql, postgres_values values, postgres_rows& out);

  /// Runs statements without values, outside of the pipeline; their rows are dropped.
  failure execute(const std::string& statements);

  /// Begins a transaction with the next statement. @param how a literal: "BEGIN"
  void begin(const char* how = "BEGIN");
  failure commit();
  void roll_back();
  bool in_transaction() const { return begun_; }

  /// Names the present task for the texts of failures. @param what a literal: "save a chat"
  void doing(const char* what) { doing_ = what; }
  /// Returns the SQLSTATE of the failure that came last; empty: of the connection.
  const std::string& state() const { return state_; }
  uint64_t epoch() const { return epoch_; } ///< how many connections there were
  /// Looks whether the connection is still there; true also if nobody can know.
  bool seems_alive();

  /// The limit of what is asked from now on.
  postgres_deadline& deadline() { return deadline_; }
  void patience(std::chrono::milliseconds time) { place_.patience = time; }

  /// Has a connection that gives no answer in time stay open until let_go(), with what it holds.
  void holds_locks() { holds_ = true; }
  void let_go();

  const postgres_place& place() const { return place_; }

private:
  failure connect_within(clock::time_point until);
  failure connect_once(clock::time_point until);
  failure greet();
  std::string greeting();
  failure lost();
  void pause_after_silence();
  failure failed(const void* result);
  failure run_once(std::vector<postgres_rows>* out);
  failure send_all();
  failure send(postgres_statement& what);
  failure collect(std::vector<postgres_rows>* out);
  failure collect_one(const postgres_statement& what, std::vector<postgres_rows>* out);
  failure wait();
  bool cancel_once();
  void drop();

  postgres_place place_;
  pg_conn* handle_ = nullptr;
  pg_conn* held_ = nullptr; ///< gave no answer; kept for what it holds
  const char* doing_ = "open the database";
  std::string state_;
  uint64_t epoch_ = 0;
  uint64_t named_ = 0;                ///< the incarnation that the server knows it by
  bool holds_ = false;                ///< see holds_locks()
  bool begun_ = false, sent_ = false; ///< a transaction; its first statement was sent
  bool commits_ = false;              ///< the present run ends it
  const char* how_ = nullptr;
  postgres_hosts hosts_;
  postgres_pauses pauses_;
  failure last_loss_; ///< why the last connect() was in vain, or nobody answered
  bool in_vain_ = false, silent_ = false; ///< the last connect(); why it was lost last
  clock::time_point next_try_{}, connected_ = clock::time_point::max();
  postgres_deadline deadline_;
  bool cancelled_ = false;
  uint64_t names_ = 0; ///< given to statements so far
  std::vector<postgres_statement> waiting_;
  std::unordered_map<const void*, std::string> prepared_; ///< names, by the statement's address
};

} // namespace troupe

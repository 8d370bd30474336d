#include "transport/postgres/postgres_store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/cluster/cluster_store.hpp"
#include "messages/cluster/limit_port.hpp"
#include "transport/postgres/connection/postgres_schema.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/postgres_directory.hpp"
#include "transport/postgres/postgres_files.hpp"
#include "transport/postgres/postgres_hold.hpp"
#include "transport/postgres/postgres_membership.hpp"
#include "transport/postgres/postgres_reading.hpp"
#include "transport/postgres/postgres_self.hpp"
#include "transport/postgres/postgres_store_connection.hpp"

namespace troupe {

namespace {

/// How long a start waits for a database that is not there yet.
constexpr std::chrono::milliseconds start_patience{10'000};

int64_t clock_now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

const char* commit_of(durability how) {
  switch (how) {
  case durability::full:
    return "on";
  case durability::normal: // standbys are not waited for
    return "local";
  case durability::none:
    break;
  }
  return "off";
}

/// All statements find their rows by an index. A plan that was made while a table was empty would
/// read the whole table, and be kept.
std::string settings_of(const postgres_options& options, durability how) {
  return fmt::format("SET search_path = {}; SET synchronous_commit = {}; "
                     "SET client_min_messages = warning; SET plan_cache_mode = force_generic_plan; "
                     "SET enable_seqscan = off; SET enable_hashjoin = off; "
                     "SET enable_mergejoin = off; SET jit = off; SET lock_timeout = '5s'",
                     options.schema, commit_of(how));
}

postgres_place place_of(const std::string& url, const postgres_options& options, durability how) {
  return {url, shown_postgres_url(url), settings_of(options, how), options.patience};
}

constexpr unsigned tidy_interval = 60; ///< exchanges, of which there is one a second at most

/// See limit_port. Each question is one round trip on a connection of its own. The tables are not
/// logged: a crash of the database empties them, and the next second fills them again.
class postgres_limits : public limit_port {
public:
  postgres_limits(postgres_place at, postgres_self self)
      : db_{std::move(at)}, self_{std::move(self)} {}

  failure exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) override;

  failure take_place_of(const take_place& want, bool& taken) override;
  failure put(const owner_turns& now) override;
  failure clear_places() override;

private:
  void tidy();

  postgres_connection db_;
  postgres_self self_;
  unsigned until_tidy_ = 0; ///< exchanges until old rows are cleared away
};

failure postgres_limits::exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) {
  db_.doing("tell the other nodes how much keys are used");
  others.clear();
  bytes_list keys;
  number_list taken;
  for (const auto& each : mine) {
    keys.add(each.key);
    taken.add(each.taken);
  }
  const auto me = self_.lease->incarnation();
  tidy();
  db_.add("INSERT INTO key_use(key, node, at, taken) SELECT u.key, $3, clock_timestamp(), u.taken "
          "FROM unnest($1::bytea[], $2::bigint[]) AS u(key, taken) "
          "ON CONFLICT(key, node) DO UPDATE SET at = EXCLUDED.at, taken = EXCLUDED.taken",
          postgres_values{keys, taken, me});
  postgres_rows rows;
  auto error = db_.ask("SELECT k.key, sum(k.taken)::bigint FROM key_use k "
                       "WHERE k.key = ANY($1::bytea[]) AND k.node <> $2 "
                       "AND k.at > clock_timestamp() - interval '3 seconds' GROUP BY k.key",
                       postgres_values{keys, me}, rows);
  while (!error && rows.next())
    others.push_back({rows.text(0), rows.natural(1)});
  return error;
}

/// One node after the other, by a lock of the owner. Both statements are sent at once and are one
/// transaction, so that the server never waits for this process while it has the lock.
failure postgres_limits::take_place_of(const take_place& want, bool& taken) {
  db_.doing("look whether an owner may have one more turn");
  db_.add("SELECT pg_advisory_xact_lock(1416786024, hashtext(encode($1, 'hex')))",
          postgres_values{want.owner});
  postgres_rows rows;
  auto error = db_.ask(
      "INSERT INTO owner_turns(owner, node, running) SELECT $1, $2, $3 "
      "WHERE $3 + (SELECT coalesce(sum(t.running), 0) FROM owner_turns t "
      "JOIN nodes n ON n.incarnation = t.node AND n.state <> 2 "
      "AND n.lease_until > clock_timestamp() WHERE t.owner = $1 AND t.node <> $2) <= $4 "
      "ON CONFLICT(owner, node) DO UPDATE SET running = EXCLUDED.running RETURNING 1",
      postgres_values{want.owner, self_.lease->incarnation(), want.running, want.most}, rows);
  taken = !error && rows.next();
  return error;
}

failure postgres_limits::put(const owner_turns& now) {
  db_.doing("tell the other nodes how many turns run");
  db_.add("INSERT INTO owner_turns(owner, node, running) VALUES ($1, $2, $3) "
          "ON CONFLICT(owner, node) DO UPDATE SET running = EXCLUDED.running",
          postgres_values{now.owner, self_.lease->incarnation(), now.running});
  return db_.run();
}

failure postgres_limits::clear_places() {
  db_.doing("tell the other nodes that no turns run");
  db_.add("DELETE FROM owner_turns WHERE node = $1", postgres_values{self_.lease->incarnation()});
  return db_.run();
}

/// Rows of keys and of nodes that are not used any more.
void postgres_limits::tidy() {
  if (until_tidy_-- > 0)
    return;
  until_tidy_ = tidy_interval;
  db_.add("DELETE FROM key_use WHERE at < clock_timestamp() - interval '1 minute'");
  db_.add("DELETE FROM owner_turns t WHERE t.running = 0 OR NOT EXISTS "
          "(SELECT 1 FROM nodes n WHERE n.incarnation = t.node)");
}

/// The shortest time that a beat may take before its connection is given up.
constexpr std::chrono::milliseconds least_beat_time{2000};

/// The place of a node in its cluster: its beats have a connection of their own.
class postgres_cluster : public cluster_store {
public:
  postgres_cluster(postgres_place at, const node_card& card, postgres_self self)
      : at_{std::move(at)}, now_ms_{card.now_ms}, self_{std::move(self)},
        members_{beating(at_, card.cluster), card, self_} {}

  failure join() { return members_.join(); }
  member_port& members() override { return members_; }
  std::unique_ptr<node_directory> directory() override {
    auto at = at_;
    at.patience = least_beat_time;
    return std::make_unique<postgres_directory>(at, now_ms_, self_);
  }
  std::unique_ptr<limit_port> limits() override {
    auto at = at_;
    at.node = nullptr; // the connection outlives incarnations
    at.settings += "; SET synchronous_commit = off";
    at.patience = std::chrono::milliseconds{0};
    at.longest = least_beat_time;
    return std::make_unique<postgres_limits>(at, self_);
  }
  std::shared_ptr<const node_lease> lease() const override { return self_.lease; }
  std::shared_ptr<cluster_counts> counts() const override { return self_.counts; }

private:
  /// A crash of the database may take beats away: nobody judges then.
  static postgres_place beating(postgres_place at, const cluster_config& cluster) {
    at.node = nullptr;
    at.settings += "; SET synchronous_commit = off; SET lock_timeout = '1s'";
    at.patience = std::chrono::milliseconds{0};
    at.longest = std::max(least_beat_time, cluster.lease / 2);
    return at;
  }

  postgres_place at_;
  int64_t (*now_ms_)();
  postgres_self self_;
  postgres_membership members_;
};

postgres_self self_of(const postgres_options& options) {
  postgres_self out;
  const auto lease = options.cluster ? options.cluster->lease : std::chrono::milliseconds{0};
  const auto beat = options.cluster ? options.cluster->beat : std::chrono::milliseconds{0};
  out.lease = std::make_shared<node_lease>(make_incarnation(), lease, beat);
  return out;
}

class postgres_store : public store_port {
public:
  postgres_store(std::string url, postgres_options options)
      : url_{std::move(url)}, options_{std::move(options)}, self_{self_of(options_)},
        readers_{place(durability::normal), self_.lease} {
    if (options_.now_ms == nullptr)
      options_.now_ms = clock_now_ms;
  }

  /// Takes the database, or a place among the nodes that share it.
  failure hold() {
    if (options_.cluster) {
      const node_card card{*options_.cluster, options_.version, options_.now_ms};
      cluster_ = std::make_unique<postgres_cluster>(place(durability::normal), card, self_);
      return cluster_->join();
    }
    hold_ = std::make_unique<postgres_hold>(place(durability::normal), self_.lease->incarnation(),
                                            options_.alone);
    return hold_->take(options_.hold_wait);
  }

  std::unique_ptr<store_connection> open(durability how, failure& why) override {
    auto made = std::make_unique<postgres_store_connection>(postgres_manner{
        place(how), options_.now_ms, options_.question, options_.quota, self_, hold_.get()});
    why = made->connect();
    if (why)
      return nullptr;
    return made;
  }

  std::unique_ptr<chat_reading> read_chat(const load_chat& ask, failure&) override {
    return readers_.begin(ask);
  }

  std::unique_ptr<file_shelf> open_files() override {
    auto* now_ms = options_.now_ms == nullptr ? clock_now_ms : options_.now_ms;
    return std::make_unique<postgres_files>(place_of(url_, options_, durability::normal), now_ms);
  }

  bool shared() const override { return true; }
  cluster_store* cluster() override { return cluster_.get(); }
  std::string path() const override { return shown_postgres_url(url_); }
  std::string notice() const override { return {}; }

private:
  postgres_place place(durability how) const {
    auto out = place_of(url_, options_, how);
    if (options_.cluster)
      out.node = self_.lease;
    return out;
  }

  std::string url_;
  postgres_options options_;
  postgres_self self_;
  postgres_readers readers_;
  std::unique_ptr<postgres_hold> hold_;
  std::unique_ptr<postgres_cluster> cluster_;
};

} // namespace

std::unique_ptr<store_port> open_postgres_store(const std::string& url, failure& why,
                                                const postgres_options& options) {
  if (why = postgres_url_fault(url); why)
    return nullptr;
  auto at = place_of(url, options, durability::full);
  at.patience = std::min(at.patience, start_patience);
  postgres_connection db{std::move(at)};
  if (why = migrate_postgres(db, options.schema, options.makes); why)
    return nullptr;
  auto out = std::make_unique<postgres_store>(url, options);
  if (options.serves)
    why = out->hold();
  if (why)
    return nullptr;
  return out;
}

std::unique_ptr<node_directory> open_postgres_directory(const std::string& url, failure& why,
                                                        const postgres_options& options) {
  if (why = postgres_url_fault(url); why)
    return nullptr;
  auto at = place_of(url, options, durability::full);
  postgres_connection db{at};
  if (why = migrate_postgres(db, options.schema); why)
    return nullptr;
  auto* now_ms = options.now_ms == nullptr ? clock_now_ms : options.now_ms;
  return std::make_unique<postgres_directory>(std::move(at), now_ms, self_of(options));
}

std::unique_ptr<store_port> open_postgres_keys(const std::string& url, failure& why,
                                               postgres_options options) {
  options.serves = false;
  return open_postgres_store(url, why, options);
}

} // namespace troupe

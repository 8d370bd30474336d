// Nodes that share a database: who lives, and what becomes of what a dead one has claimed.
#include <utility>
#include <vector>

#include "tests/transport/postgres/postgres_cluster.hpp"

namespace postgres_membership_test {

using namespace troupe;
using namespace troupe::test;

namespace {

failure refusal_of(const postgres_options& how) {
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, how) == nullptr);
  return why;
}

/// Beats until another node is found dead, sweeps it, and returns how many turns that freed.
uint64_t sweep_found(const tested_node& by) {
  std::vector<cluster_node> dead;
  by.beat_until([&](member_beat& now) {
    dead = std::move(now.dead);
    return !dead.empty();
  });
  uint64_t all = 0;
  for (const auto& each : dead)
    for (bool more = true; more;) {
      uint64_t freed = 0;
      REQUIRE_FALSE(by.members().sweep(each.incarnation, freed, more));
      all += freed;
    }
  return all;
}

} // namespace

TEST_CASE("nodes share a database, and keep out who wants to be alone with it",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  CHECK(a.port->shared());
  CHECK(a.incarnation() != b.incarnation());
  CHECK(refusal_of(folder.impatient()).code == errc::store_locked);
  CHECK(folder.number("SELECT count(*) FROM nodes WHERE state = 0") == 2);
}

TEST_CASE("a server that is alone with its database keeps out nodes",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  folder.open();
  const auto why = refusal_of(folder.node_options("a"));
  CHECK(why.code == errc::store_locked);
  CHECK(why.text().find("is no node of a cluster") != std::string::npos);
}

TEST_CASE("a node's name is its own while it lives", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  auto a = folder.node("a");
  folder.lease_for("1 hour", "a");
  const auto why = refusal_of(folder.node_options("a"));
  CHECK(why.code == errc::store_locked);
  CHECK(why.text().find("a node 'a' runs already") != std::string::npos);
  SECTION("it has left") {
    REQUIRE_FALSE(a.members().leave());
  }
  SECTION("it was killed") {
    a.die();
    folder.silent_for("1 minute", "a");
  }
  CHECK(folder.node("a").port != nullptr);
}

TEST_CASE("a node whose lease is over is dead, and its turns are interrupted",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  const auto claimed = b.store->save(claiming("s"));
  REQUIRE_FALSE(claimed.error);
  a.settle();
  folder.lease_for("-1 second", "b");
  CHECK(sweep_found(a) == 1);
  CHECK(folder.number("SELECT count(*) FROM nodes") == 1);
  const auto record = a.store->load({"s"});
  CHECK(record.claim == claim_state::none);
  CHECK(record.last_turn.state == turn_state::interrupted);
  CHECK(record.last_turn.error.code == errc::server_restarted);

  INFO("it lives, comes back as another one, and has lost what it had");
  const auto before = b.incarnation();
  SECTION("before it knows") {
    CHECK(b.store->save(ending("s", claimed)).claim == claim_state::lost);
  }
  CHECK(b.beat().lost == before);
  CHECK(b.incarnation() != before);
  const auto late = b.store->save(ending("s", claimed));
  CHECK(late.error.code == errc::turn_lost);
  CHECK(late.claim == claim_state::lost);
  CHECK(b.beat().lost == 0);
  const auto again = claiming_again(claiming("s", "t2"), record);
  CHECK(b.store->save(again).fence.node == b.incarnation());
}

TEST_CASE("a node that is killed is dead when it has missed two beats",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  auto b = folder.node("b");
  REQUIRE_FALSE(b.store->save(claiming("s")).error);
  a.settle();
  folder.lease_for("1 hour", "b");
  b.die();
  folder.silent_for("19 seconds", "b");
  CHECK(a.beat().dead.empty());
  folder.silent_for("21 seconds", "b");
  CHECK(sweep_found(a) == 1);
}

TEST_CASE("a node that comes back frees what its earlier start has left",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  auto a = folder.node("a");
  auto b = folder.node("b");
  REQUIRE_FALSE(a.store->save(claiming("s")).error);
  REQUIRE_FALSE(b.store->save(claiming("other")).error);
  a.die();
  b.die();
  folder.silent_for("1 minute", "a");
  folder.silent_for("1 minute", "b");
  const auto again = folder.node("a");
  CHECK(again.store->load({"s"}).claim == claim_state::none);
  CHECK(again.store->load({"s"}).last_turn.state == turn_state::interrupted);
  CHECK(again.store->load({"other"}).claim == claim_state::held_elsewhere);
  CHECK(folder.number("SELECT count(*) FROM nodes") == 2);
}

TEST_CASE("a node that is silent and holds its lock lives until its lease is over",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  a.settle();
  folder.lease_for("1 hour", "b");
  folder.silent_for("1 minute", "b");
  CHECK(a.beat().dead.empty());
}

TEST_CASE("a node that was cut off itself judges nobody", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::milliseconds{2000});
  const auto b = folder.node("b");
  folder.lease_for("-1 second", "b");
  SECTION("it has just come") {
    CHECK(a.beat().dead.empty());
  }
  SECTION("its connection was cut, as by a restart of the database") {
    a.settle();
    folder.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE "
               "application_name LIKE 'troupe/%' AND datname = current_database()");
    CHECK(a.beat().dead.empty());
  }
  auto theirs = claiming("s");
  REQUIRE_FALSE(b.store->save(theirs).error);
  CHECK(a.store->save(claiming("s", "t2")).claim == claim_state::held_elsewhere);
  CHECK(folder.number("SELECT count(*) FROM nodes WHERE state = 2") == 0);
}

TEST_CASE("a chat of a dead node goes to who wants it, before any sweep",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  REQUIRE_FALSE(b.store->save(claiming("s")).error);
  a.settle();
  folder.lease_for("-1 second", "b");
  a.beat_until([&](const member_beat&) {
    return a.store->save(claiming("s", "t2")).claim == claim_state::stale;
  });
  CHECK(a.store->load({"s"}).claim == claim_state::none);
  CHECK(a.port->cluster()->counts()->takeovers == 1);
  CHECK(folder.number("SELECT state FROM nodes WHERE name = 'b'") == 2);
}

TEST_CASE("rows that a stopped node holds are freed with its connections",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  REQUIRE_FALSE(b.store->save(claiming("s")).error);
  REQUIRE_FALSE(b.store->begin());
  change_conversation rename;
  rename.session_id = "s";
  rename.title = "held";
  REQUIRE_FALSE(b.store->change(rename).error); // and it never commits
  a.settle();
  folder.lease_for("-1 second", "b");
  CHECK(sweep_found(a) == 1);
  CHECK(a.store->load({"s"}).claim == claim_state::none);
  CHECK(b.store->commit().code == errc::store_failed);
}

TEST_CASE("a node that drains says so, also when an operator wants it",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto nodes = a.port->cluster()->directory();
  CHECK_FALSE(a.beat().is_to_drain);
  folder.lease_for("1 hour", "a");
  REQUIRE_FALSE(nodes->drain("a"));
  CHECK(a.beat().is_to_drain);
  CHECK(a.port->cluster()->lease()->drains());
  folder.lease_for("1 hour", "a");
  REQUIRE(nodes->nodes().nodes.size() == 1);
  CHECK(nodes->nodes().nodes.front().state == cluster_state::draining);
  CHECK(nodes->drain("nobody").code == errc::not_found);
}

TEST_CASE("a node that drains still drains when it comes back as another one",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  folder.lease_for("1 hour", "a");
  REQUIRE_FALSE(a.port->cluster()->directory()->drain("a"));
  CHECK(a.beat().is_to_drain);
  folder.sql("UPDATE nodes SET state = 2");
  CHECK(a.beat().lost != 0);
  CHECK(a.port->cluster()->lease()->drains());
  CHECK(folder.number("SELECT state FROM nodes WHERE state <> 2") == 1);
  CHECK(a.beat().is_to_drain);
}

TEST_CASE("a chat that was claimed and is not run can be given back",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto first = a.store->save(claiming("s"));
  std::vector<claimed_chat> all;
  REQUIRE_FALSE(a.members().claimed(all));
  REQUIRE(all == std::vector<claimed_chat>{{"s", first.fence.epoch}});
  SECTION("as it was claimed") {
    REQUIRE_FALSE(a.members().give_back(all.front()));
    CHECK(a.store->load({"s"}).claim == claim_state::none);
    CHECK(a.store->load({"s"}).last_turn.state == turn_state::interrupted);
    REQUIRE_FALSE(a.members().claimed(all));
    CHECK(all.empty());
  }
  SECTION("but not when it was claimed anew") {
    auto again = claiming("s", "t2");
    again.claim.version = first.version;
    again.claim.fence = first.fence;
    REQUIRE_FALSE(a.store->save(again).error);
    REQUIRE_FALSE(a.members().give_back(all.front()));
    CHECK(a.store->load({"s"}).claim == claim_state::held);
    CHECK(a.store->load({"s"}).last_turn.state == turn_state::running);
  }
}

TEST_CASE("a node's connections bear its name, and get the next one when it changes",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto name = [&] { return "troupe/" + std::to_string(a.incarnation()); };
  const auto count = [&] {
    postgres_rows rows;
    CHECK_FALSE(folder.beside()->ask("SELECT count(*) FROM pg_stat_activity "
                                     "WHERE application_name = convert_from($1, 'UTF8') "
                                     "AND datname = current_database()",
                                     postgres_values{name()}, rows));
    return rows.next() ? rows.integer(0) : -1;
  };
  CHECK(count() == 2);
  folder.sql("UPDATE nodes SET state = 2");
  CHECK(a.beat().lost != 0);
  CHECK(count() == 1);
  CHECK(a.store->load({"s"}).version == 0);
  CHECK(count() == 2);
}

} // namespace postgres_membership_test

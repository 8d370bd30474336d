// Questions about the nodes of a cluster.
#include "messages/chat/session_id.hpp"
#include "tests/transport/postgres/postgres_cluster.hpp"

namespace postgres_directory_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a directory finds who runs a chat, and says nothing of its own node",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  const auto of_a = a.port->cluster()->directory();
  const auto of_b = b.port->cluster()->directory();
  const auto id = scoped_id("ann", "s");
  CHECK(of_a->find({id}).incarnation == 0);
  const auto claimed = b.store->save(claiming(id));
  folder.lease_for("1 hour", "b");
  const auto found = of_a->find({id});
  CHECK_FALSE(found.error);
  CHECK(found.incarnation == b.incarnation());
  CHECK(found.epoch == claimed.fence.epoch);
  CHECK(found.address == "http://b");
  CHECK(of_a->find({scoped_id("bob", "s")}).incarnation == 0);
  CHECK(of_b->find({id}).incarnation == 0);
  SECTION("nor of a chat whose turn is over") {
    REQUIRE_FALSE(b.store->save(ending(id, claimed)).error);
    CHECK(of_a->find({id}).incarnation == 0);
  }
  SECTION("nor of a node that is dead: its chat is freed by who may judge") {
    a.settle();
    folder.lease_for("-1 second", "b");
    CHECK(of_a->find({id}).incarnation == 0);
    CHECK(a.store->load({id}).claim == claim_state::none);
    CHECK(a.store->load({id}).last_turn.state == turn_state::interrupted);
  }
}

TEST_CASE("a node with a late lease is asked still by who may not judge",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::minutes{1});
  const auto b = folder.node("b");
  const auto id = scoped_id("ann", "s");
  REQUIRE_FALSE(b.store->save(claiming(id)).error);
  folder.lease_for("-1 second", "b");
  const auto found = a.port->cluster()->directory()->find({id});
  CHECK_FALSE(found.error);
  CHECK(found.incarnation == b.incarnation());
  CHECK(found.address == "http://b");
  CHECK(b.store->load({id}).last_turn.state == turn_state::running);
}

TEST_CASE("a directory lists the nodes by name", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto b = folder.node("b");
  const auto a = folder.node("a");
  const auto c = folder.node("c");
  REQUIRE_FALSE(a.members().beat({cluster_state::draining, 7}).error);
  for (const auto* each : {"a", "b"})
    folder.lease_for("1 hour", each);
  folder.lease_for("-10 seconds", "c");
  const auto list = a.port->cluster()->directory()->nodes();
  REQUIRE_FALSE(list.error);
  REQUIRE(list.nodes.size() == 3);
  CHECK(list.nodes[0].name == "a");
  CHECK(list.nodes[0].address == "http://a");
  CHECK(list.nodes[0].version == "1.2.3");
  CHECK(list.nodes[0].state == cluster_state::draining);
  CHECK(list.nodes[0].running == 7);
  CHECK(list.nodes[0].incarnation == a.incarnation());
  CHECK(list.nodes[1].state == cluster_state::serving);
  CHECK(list.nodes[1].lease_left_ms > 3'000'000);
  CHECK(list.nodes[2].state == cluster_state::dead);
  CHECK(list.nodes[2].lease_left_ms <= -10'000);
}

TEST_CASE("a node that is late does not list itself as dead, nor do others while it has its lock",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  for (const auto* each : {"a", "b"})
    folder.lease_for("1 hour", each);
  folder.sql("UPDATE nodes SET renewed = clock_timestamp() - interval '1 hour'");
  for (const auto* each : {&a, &b}) {
    const auto list = each->members().nodes();
    REQUIRE(list.nodes.size() == 2);
    CHECK(list.nodes[0].state == cluster_state::serving);
    CHECK(list.nodes[1].state == cluster_state::serving);
  }
}

TEST_CASE("a chat is freed that its node says it does not run", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  const auto claimed = b.store->save(claiming("s"));
  folder.lease_for("1 hour", "b");
  const auto nodes = a.port->cluster()->directory();
  const auto found = nodes->find({"s"});
  SECTION("as it was found") {
    CHECK(nodes->take({"s", found.incarnation, found.epoch}).incarnation == 0);
    CHECK(a.store->load({"s"}).claim == claim_state::none);
    CHECK(b.store->save(ending("s", claimed)).claim == claim_state::lost);
  }
  SECTION("but not when it was claimed anew") {
    const auto still = nodes->take({"s", found.incarnation, found.epoch - 1});
    CHECK(still.incarnation == b.incarnation());
    CHECK(a.store->load({"s"}).claim == claim_state::held_elsewhere);
  }
}

TEST_CASE("a dead node can be forgotten, one that lives not", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  auto b = folder.node("b");
  REQUIRE_FALSE(b.store->save(claiming("s")).error);
  for (const auto* each : {"a", "b"})
    folder.lease_for("1 hour", each);
  failure why;
  const auto nodes = open_postgres_directory(shared_postgres().url(), why, folder.options());
  REQUIRE(nodes != nullptr);
  uint64_t freed = 0;
  CHECK(nodes->forget("b", freed).code == errc::request_invalid);
  CHECK(nodes->forget("nobody", freed).code == errc::not_found);
  folder.lease_for("-1 second", "b");
  REQUIRE_FALSE(nodes->forget("b", freed));
  CHECK(freed == 1);
  CHECK(nodes->nodes().nodes.size() == 1);
  CHECK(a.store->load({"s"}).claim == claim_state::none);
}

} // namespace postgres_directory_test

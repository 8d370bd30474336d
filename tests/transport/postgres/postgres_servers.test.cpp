// Which nodes have MCP servers of which there is one, in PostgreSQL.
#include "transport/postgres/postgres_membership.hpp"

#include <atomic>
#include <thread>

#include "tests/transport/postgres/postgres_cluster.hpp"

namespace postgres_servers_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using names = std::vector<std::string>;

/// Returns the nodes that have "x", as that node sees it.
names holders(const tested_node& by, bool drains = false) {
  held_servers out;
  const auto error = by.members().hold({{"x"}, drains}, out);
  INFO(error.text());
  CHECK_FALSE(error);
  names all;
  for (const auto& each : out.servers)
    all.push_back(each.name);
  return all;
}

} // namespace

TEST_CASE("of nodes that want a server the first one has it", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::hours{1});
  const auto b = folder.node("b", std::chrono::hours{1});
  CHECK(holders(a) == names{"a"});
  CHECK(holders(b) == names{"a"});
  held_servers seen;
  REQUIRE_FALSE(b.members().hold({{"x", "y"}, false}, seen));
  REQUIRE(seen.servers.size() == 2);
  CHECK(seen.others_serve);
  const auto& x = seen.servers[seen.servers[0].server == "x" ? 0 : 1];
  CHECK(x.node == a.incarnation());
  CHECK(x.address == "http://a");
  SECTION("until it gives it back") {
    REQUIRE_FALSE(a.members().release("x"));
    CHECK(holders(b) == names{"b"});
    CHECK(holders(a) == names{"b"});
  }
  SECTION("which another one cannot do for it") {
    REQUIRE_FALSE(b.members().release("x"));
    CHECK(holders(b) == names{"a"});
  }
}

TEST_CASE("a server of a node that is gone is free", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  auto a = folder.node("a", std::chrono::hours{1});
  const auto b = folder.node("b", std::chrono::hours{1});
  CHECK(holders(a) == names{"a"});
  SECTION("it has left") {
    REQUIRE_FALSE(a.members().leave());
    CHECK(holders(b) == names{"b"});
  }
  SECTION("it is dead, as soon as somebody has found that") {
    a.die();
    folder.lease_for("-1 second", "a");
    CHECK(holders(b) == names{"a"});
    folder.sql("UPDATE nodes SET state = 2 WHERE name = 'a'");
    CHECK(holders(b) == names{"b"});
  }
  SECTION("it comes back as another start, which has nothing") {
    folder.sql("UPDATE nodes SET state = 2 WHERE name = 'a'");
    folder.sql("DELETE FROM nodes WHERE name = 'a'");
    CHECK(a.beat().lost != 0);
    CHECK(holders(b) == names{"b"});
    CHECK(holders(a) == names{"b"});
  }
}

TEST_CASE("a node without a lease takes no server", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::hours{1});
  folder.lease_for("-1 second", "a");
  CHECK(holders(a).empty());
  folder.lease_for("1 hour", "a");
  folder.sql("UPDATE nodes SET state = 2");
  CHECK(holders(a).empty());
}

TEST_CASE("a node that drains takes no server while another one serves",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::hours{1});
  CHECK(holders(a, true) == names{"a"});
  REQUIRE_FALSE(a.members().release("x"));
  const auto b = folder.node("b", std::chrono::hours{1});
  CHECK(holders(a, true).empty());
  CHECK(holders(b) == names{"b"});
}

TEST_CASE("nodes that want servers at once have each of them once",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  constexpr int servers = 20;
  std::vector<tested_node> nodes;
  for (const auto* name : {"a", "b", "c"})
    nodes.push_back(folder.node(name, std::chrono::hours{1}));
  std::atomic<int> got = 0, failed = 0;
  std::vector<std::thread> threads;
  threads.reserve(nodes.size());
  for (const auto& node : nodes)
    threads.emplace_back([&, at = &node] {
      for (int i = 0; i < servers; ++i) {
        held_servers out;
        failed += at->members().hold({{std::to_string(i)}, false}, out) ? 1 : 0;
        got += !out.servers.empty() && out.servers[0].node == at->incarnation() ? 1 : 0;
      }
    });
  for (auto& each : threads)
    each.join();
  CHECK(failed == 0);
  CHECK(got == servers);
}

} // namespace postgres_servers_test

// What nodes use of limits, in PostgreSQL.
#include <atomic>
#include <thread>

#include "tests/transport/postgres/postgres_cluster.hpp"

namespace postgres_limits_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::vector<key_use> told(limit_port& by, const std::vector<key_use>& mine) {
  std::vector<key_use> out{{"left", 1}};
  const auto error = by.exchange(mine, out);
  INFO(error.text());
  CHECK_FALSE(error);
  return out;
}

} // namespace

TEST_CASE("a node hears how much the others use the keys that it uses",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  const auto c = folder.node("c");
  const auto of_a = a.port->cluster()->limits();
  const auto of_b = b.port->cluster()->limits();
  const auto of_c = c.port->cluster()->limits();
  CHECK(told(*of_a, {{"k", 5}, {"l", 7}}).empty());
  CHECK(told(*of_b, {{"k", 10}}) == std::vector<key_use>{{"k", 5}});
  CHECK(told(*of_c, {{"k", 100}, {"m", 1}}) == std::vector<key_use>{{"k", 15}});
  CHECK(told(*of_a, {{"k", 6}}) == std::vector<key_use>{{"k", 110}});
  CHECK(told(*of_b, {{"k", 10}}) == std::vector<key_use>{{"k", 106}});
  SECTION("but not what they used long ago") {
    folder.sql("UPDATE key_use SET at = at - interval '4 seconds' WHERE taken = 100");
    CHECK(told(*of_b, {{"k", 10}}) == std::vector<key_use>{{"k", 6}});
  }
}

TEST_CASE("what keys were used long ago is cleared away", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto of_a = a.port->cluster()->limits();
  told(*of_a, {{"old", 1}});
  folder.sql("UPDATE key_use SET at = at - interval '2 minutes'");
  const auto later = a.port->cluster()->limits(); // clears away with its first exchange
  told(*later, {{"k", 1}});
  CHECK(folder.number("SELECT count(*) FROM key_use") == 1);
}

TEST_CASE("of the places of an owner no node takes more than are left",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a", std::chrono::hours{1});
  const auto b = folder.node("b", std::chrono::hours{1});
  const auto of_a = a.port->cluster()->limits();
  const auto of_b = b.port->cluster()->limits();
  const auto takes = [](limit_port& by, const std::string& owner, uint64_t running) {
    bool taken = false;
    const auto error = by.take_place_of({owner, running, 3}, taken);
    INFO(error.text());
    CHECK_FALSE(error);
    return taken;
  };
  CHECK(takes(*of_a, "ann", 1));
  CHECK(takes(*of_a, "ann", 2));
  CHECK(takes(*of_b, "ann", 1));
  CHECK_FALSE(takes(*of_b, "ann", 2));
  CHECK_FALSE(takes(*of_a, "ann", 3));
  CHECK(takes(*of_b, "bob", 3));
  SECTION("one that is given back is another's") {
    REQUIRE_FALSE(of_a->put({"ann", 1}));
    CHECK(takes(*of_b, "ann", 2));
    CHECK_FALSE(takes(*of_a, "ann", 2));
  }
  SECTION("and so are all of a node that begins anew") {
    REQUIRE_FALSE(of_a->clear_places());
    CHECK(takes(*of_b, "ann", 3));
  }
  SECTION("or of one that is dead") {
    folder.lease_for("-1 second", "a");
    CHECK(takes(*of_b, "ann", 3));
  }
}

TEST_CASE("nodes that ask for places at once get no more than there are",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  constexpr uint64_t most = 10, each_wants = 20;
  std::vector<tested_node> nodes;
  for (const auto* name : {"a", "b", "c"})
    nodes.push_back(folder.node(name, std::chrono::hours{1}));
  std::atomic<uint64_t> got = 0, failed = 0;
  std::vector<std::thread> threads;
  threads.reserve(nodes.size());
  for (const auto& node : nodes)
    threads.emplace_back([&, port = node.port.get()] {
      const auto limits = port->cluster()->limits();
      uint64_t running = 0;
      for (uint64_t i = 0; i < each_wants; ++i) {
        bool taken = false;
        failed += limits->take_place_of({"ann", running + 1, most}, taken) ? 1 : 0;
        running += taken ? 1 : 0;
      }
      got += running;
    });
  for (auto& each : threads)
    each.join();
  CHECK(failed == 0);
  CHECK(got == most);
}

} // namespace postgres_limits_test

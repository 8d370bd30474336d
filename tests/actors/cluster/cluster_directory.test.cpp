#include "actors/cluster/cluster_directory.hpp"

#include <map>
#include <string>

#include "tests/actors/cluster/fake_cluster.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace cluster_directory_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class fake_directory : public node_directory {
public:
  chat_owner find(const find_owner& ask) override { return {{}, 1, 2, "find " + ask.session_id}; }
  node_list nodes() override {
    ++lists();
    return known();
  }
  chat_owner take(const claim_orphan& ask) override {
    return {{}, 0, ask.epoch, "take " + ask.session_id};
  }
  failure drain(const std::string&) override { return {}; }
  failure forget(const std::string&, uint64_t&) override { return {}; }

  static node_list& known() {
    static node_list out;
    return out;
  }
  static int& lists() {
    static int out;
    return out;
  }
};

cluster_node candidate(const std::string& address, uint64_t incarnation, uint32_t running,
                       cluster_state state = cluster_state::serving) {
  auto out = node_named(address, incarnation, state);
  out.address = address;
  out.running = running;
  return out;
}

/// A directory whose database the test plays; node 1 is this one.
struct directory_fixture : deterministic {
  directory_fixture() {
    cluster.make_directory = [] { return std::make_unique<fake_directory>(); };
    fake_directory::known() = {{}, {node_named("a")}};
    fake_directory::lists() = 0;
    parent =
        make_parent(*this, std::make_shared<std::vector<caf::error>>(), [&](caf::local_actor& top) {
          directory = spawn_cluster_directory(top, {&cluster, false});
        });
  }
  ~directory_fixture() { crash(*this, parent); }

  chat_owner pick(uint64_t failed = 0) { return ask<chat_owner>(directory, pick_node{failed}); }

  fake_cluster cluster;
  cluster_directory_actor directory;
  caf::actor parent;
};

} // namespace

TEST_CASE_METHOD(directory_fixture, "a directory answers who has a chat from the database",
                 "[actors][cluster]") {
  CHECK(ask<chat_owner>(directory, find_owner{"s"}).address == "find s");
  CHECK(ask<node_list>(directory, list_nodes{}).nodes.size() == 1);
  CHECK(ask<chat_owner>(directory, claim_orphan{"s", 1, 5}).epoch == 5);
}

TEST_CASE_METHOD(directory_fixture, "turns go to the nodes with the fewest, by one look at all",
                 "[actors][cluster]") {
  fake_directory::known() = {{},
                             {candidate("self", 1, 0), candidate("busy", 2, 9),
                              candidate("calm", 3, 1), candidate("calm too", 4, 1),
                              candidate("gone", 5, 0, cluster_state::dead),
                              candidate("leaving", 6, 0, cluster_state::draining)}};
  std::map<std::string, int> picked;
  for (int i = 0; i < 16; ++i)
    ++picked[pick().address];
  CHECK(picked == std::map<std::string, int>{{"calm", 8}, {"calm too", 8}});
  CHECK(fake_directory::lists() == 1);
  sched().advance_time(std::chrono::milliseconds{500});
  pick();
  CHECK(fake_directory::lists() == 2);
}

TEST_CASE_METHOD(directory_fixture, "a node that did not take a turn is not picked for it again",
                 "[actors][cluster]") {
  fake_directory::known() = {{}, {candidate("b", 2, 0), candidate("c", 3, 5)}};
  CHECK(pick().address == "b");
  CHECK(pick(2).address == "c"); // it was asked anew, since the look was out of date
  CHECK(fake_directory::lists() == 2);
  fake_directory::known() = {{}, {candidate("b", 2, 0)}};
  CHECK(pick(2).address == "b"); // there is no other
  fake_directory::known() = {{}, {candidate("self", 1, 0)}};
  CHECK(pick(2).incarnation == 0);
}

TEST_CASE_METHOD(directory_fixture, "a database that is away is no reason to pick an old node",
                 "[actors][cluster]") {
  fake_directory::known() = {{errc::store_failed, "away"}, {}};
  CHECK(pick().error.code == errc::store_failed);
  fake_directory::known() = {{}, {candidate("b", 2, 0)}};
  CHECK(pick().address == "b");
}

} // namespace cluster_directory_test

#include "actors/cluster/server_assignments.hpp"

#include "actors/cluster/cluster_member.hpp"
#include "tests/actors/cluster/fake_cluster.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace server_assignments_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

using wheres = std::vector<server_where>;
using names = std::vector<std::string>;

/// A member whose database and whose links the test plays.
class places_world : public deterministic {
public:
  places_world() {
    config.store = &cluster;
    config.detached = false;
    parent =
        make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                    [this](caf::local_actor& top) { member = spawn_cluster_member(top, config); });
  }
  ~places_world() {
    for (auto& each : links)
      crash(*this, each);
    crash(*this, parent);
  }

  /// Spawns a link that wants "one"; what it is told goes to `told`.
  single_server_link_actor want(wheres& told, bool has = false) {
    links.push_back(sys.spawn([this, &told, has](single_server_link_actor::pointer me) {
      me->send(member, want_server{"one", has});
      return single_server_link_actor::behavior_type{
          [](mcp_outbound&) {},
          [this, me](atom::disconnect) { me->send(member, server_closed{"one"}); },
          [&told](const server_assignment& now) { told.push_back(now.where); },
          [](mcp_inbound&) {},
          [](atom::reconnect, uint64_t) {},
          [](atom::expire) {},
      };
    }));
    run();
    return links.back();
  }
  void close(const single_server_link_actor& link) {
    caf::anon_send(link, atom::disconnect_v);
    run();
  }
  void beat() { advance(500ms); }
  void held_by(uint64_t node, bool others = true) {
    cluster.held = {{{"one", node, "n", "http://n"}}, others};
  }

  fake_cluster cluster;
  cluster_member_config config;
  caf::actor parent;
  cluster_member_actor member;
  std::vector<single_server_link_actor> links;
};

constexpr auto nowhere = server_where::nowhere, leaving = server_where::leaving,
               here = server_where::here, there = server_where::there;

} // namespace

TEST_CASE_METHOD(places_world, "nothing is asked while no server is wanted", "[actors][cluster]") {
  beat();
  CHECK(cluster.wishes.empty());
}

TEST_CASE_METHOD(places_world, "a link is told where its server is, and of each change",
                 "[actors][cluster]") {
  held_by(7);
  wheres told;
  want(told);
  CHECK(told == wheres{there});
  CHECK(cluster.wishes.back().servers == names{"one"});
  beat();
  CHECK(told.size() == 1);
  cluster.held = {};
  beat();
  held_by(1);
  beat();
  CHECK(told == wheres{there, nowhere, here});
}

TEST_CASE_METHOD(places_world, "a node that drains gives a server away when it is closed",
                 "[actors][cluster]") {
  held_by(1);
  wheres told;
  auto link = want(told);
  cluster.next.is_to_drain = true;
  beat();
  CHECK(told == wheres{here, leaving});
  CHECK(cluster.wishes.back().drains);
  CHECK(cluster.released.empty());
  close(link);
  CHECK(cluster.released == names{"one"});
}

TEST_CASE_METHOD(places_world, "the last node keeps its servers while it drains",
                 "[actors][cluster]") {
  held_by(1, false);
  wheres told;
  want(told);
  ask<atom::done>(member, atom::drain_v);
  CHECK(told == wheres{here});
}

TEST_CASE_METHOD(places_world,
                 "a node that loses its lease has servers closed before it has them "
                 "again",
                 "[actors][cluster]") {
  held_by(1);
  wheres first, second;
  auto link = want(first);
  SECTION("the others took it for dead") {
    cluster.next.lost = 42;
    beat();
  }
  SECTION("it was cut off") {
    cluster.known->renewed(node_lease::clock::now() - 1h, false);
    beat();
    cluster.known->renewed(node_lease::clock::now(), true);
    beat();
  }
  CHECK(first == wheres{here, nowhere});
  want(second);
  beat();
  CHECK(second.empty());
  close(link);
  CHECK(second == wheres{here});
}

TEST_CASE_METHOD(places_world, "a server that another node has taken is closed at once",
                 "[actors][cluster]") {
  held_by(1);
  wheres told;
  want(told);
  held_by(7);
  beat();
  CHECK(told == wheres{here, nowhere});
}

TEST_CASE_METHOD(places_world, "a server whose link comes back within a minute stays here",
                 "[actors][cluster]") {
  held_by(1);
  wheres first, second;
  crash(*this, want(first));
  links.clear();
  beat();
  SECTION("it comes") {
    want(second);
    CHECK(second == wheres{here});
    CHECK(cluster.released.empty());
  }
  SECTION("it does not") {
    advance(60s);
    beat();
    CHECK(cluster.released == names{"one"});
    const auto asked = cluster.wishes.size();
    beat();
    CHECK(cluster.wishes.size() == asked);
  }
}

TEST_CASE_METHOD(places_world, "a link that had a server under an earlier member keeps it",
                 "[actors][cluster]") {
  held_by(1);
  wheres told;
  want(told, true);
  CHECK(told.empty());
  held_by(7);
  beat();
  CHECK(told == wheres{nowhere});
}

} // namespace server_assignments_test

#include "actors/cluster/cluster_member.hpp"

#include "actors/registry.hpp"
#include "tests/actors/cluster/fake_cluster.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"

namespace cluster_member_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A node whose database and whose session hub the test plays.
class member_world : public deterministic {
public:
  member_world() {
    hub = sys.spawn([this](session_hub_actor::pointer) {
      return session_hub_actor::behavior_type{
          [](start_turn&) {},
          [](const abort_turn&) {},
          [](const grant_credit&) {},
          [](const watch_turn&) {},
          [](const leave_turn&) {},
          [](const answer_approvals&) {},
          [](const turn_ended&) {},
          [](const chat_saved&) {},
          [](const expire_refused&) {},
          [](const unseen_rounds&) {},
          [](const end_session&) { return failure{}; },
          [](atom::status) { return session_counts{}; },
          [](atom::drain, caf::timespan) { return atom::done_v; },
          [this](atom::restart, uint64_t incarnation) { lost.push_back(incarnation); },
          [this](const find_busy_chats&) { return busy_chats{busy}; },
          [](atom::expire) {},
      };
    });
    sys.registry().put(session_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
    config.store = &cluster;
    config.turns = turns;
    config.log = log;
    config.detached = false;
  }

  ~member_world() {
    sys.registry().erase(session_hub_name);
    crash(*this, hub);
    if (parent)
      crash(*this, parent);
  }

  void open() {
    parent =
        make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                    [this](caf::local_actor& top) { member = spawn_cluster_member(top, config); });
  }

  /// The states that log lines told, in order.
  std::vector<std::string> told() const {
    std::vector<std::string> out;
    for (const auto& each : log->lines("cluster"))
      out.push_back(each.members.substr(0, each.members.find(',')));
    return out;
  }

  fake_cluster cluster;
  cluster_member_config config;
  std::shared_ptr<running_turn_count> turns = std::make_shared<running_turn_count>(3);
  std::shared_ptr<kept_log> log = std::make_shared<kept_log>();
  std::vector<uint64_t> lost;
  std::vector<std::string> busy;
  session_hub_actor hub;
  caf::actor parent;
  cluster_member_actor member;
};

} // namespace

TEST_CASE_METHOD(member_world, "a node beats at once and then each half second, with its turns",
                 "[actors][cluster]") {
  open();
  CHECK(cluster.beats.size() == 1);
  CHECK(cluster.beats.back().running == 3);
  CHECK(cluster.beats.back().state == cluster_state::serving);
  for (int i = 0; i < 4; ++i)
    advance(500ms);
  CHECK(cluster.beats.size() >= 4);
  CHECK(cluster.beats.size() <= 6);
}

TEST_CASE_METHOD(member_world, "a node that is about to end says so, and leaves last",
                 "[actors][cluster]") {
  open();
  ask<atom::done>(member, atom::drain_v);
  CHECK(cluster.beats.back().state == cluster_state::draining);
  CHECK(cluster.leaves == 0);
  ask<atom::done>(member, atom::disconnect_v);
  CHECK(cluster.leaves == 1);
}

TEST_CASE_METHOD(member_world, "a node that the others took for dead tells its sessions",
                 "[actors][cluster]") {
  open();
  cluster.next.lost = 42;
  advance(500ms);
  CHECK(lost == std::vector<uint64_t>{42});
  CHECK(told() == std::vector<std::string>{R"("state":"fenced")"});
}

TEST_CASE_METHOD(member_world, "a dead node is swept piece by piece", "[actors][cluster]") {
  cluster.pieces = 3;
  cluster.next.dead = {node_named("b")};
  open();
  run();
  CHECK(cluster.sweeps == std::vector<uint64_t>{7, 7, 7});
  CHECK(told() == std::vector<std::string>{R"("state":"dead")", R"("state":"swept")"});
  CHECK(log->lines("cluster").back().members == R"("state":"swept","node":"b","turns":6)");
}

TEST_CASE_METHOD(member_world, "dead nodes are swept one after the other, each with its turns",
                 "[actors][cluster]") {
  cluster.pieces = 3;
  cluster.next.dead = {node_named("b"), node_named("c", 8)};
  open();
  run();
  CHECK(cluster.sweeps == std::vector<uint64_t>{7, 7, 7, 8});
  const auto lines = log->lines("cluster");
  REQUIRE(lines.size() == 4);
  CHECK(lines[2].members == R"("state":"swept","node":"b","turns":6)");
  CHECK(lines[3].members == R"("state":"swept","node":"c","turns":2)");
}

TEST_CASE_METHOD(member_world, "a sweep that fails is tried again when the node is found again",
                 "[actors][cluster]") {
  cluster.sweep_error = {errc::store_locked, "rows are held"};
  cluster.next.dead = {node_named("b")};
  open();
  CHECK(cluster.sweeps.size() == 1);
  cluster.sweep_error = {};
  cluster.next.dead = {node_named("b")};
  advance(500ms);
  CHECK(cluster.sweeps.size() == 2);
  CHECK(told().back() == R"("state":"swept")");
}

TEST_CASE_METHOD(member_world, "nodes that come and go are told once", "[actors][cluster]") {
  cluster.listed = {node_named("a"), node_named("b")};
  open();
  CHECK(told() == std::vector<std::string>{R"("state":"came")", R"("state":"came")"});
  CHECK(cluster.counted->serving == 2);
  cluster.listed = {node_named("a", 8, cluster_state::draining),
                    node_named("b", 7, cluster_state::dead)};
  for (int i = 0; i < 12; ++i)
    advance(500ms);
  CHECK(cluster.lists == 2);
  CHECK(log->lines("cluster").size() == 3);
  CHECK(log->lines("cluster").back().members == R"("state":"gone","node":"b")");
  CHECK(cluster.counted->serving == 0);
  CHECK(cluster.counted->draining == 1);
  CHECK(cluster.counted->dead == 1);
}

TEST_CASE_METHOD(member_world, "what is claimed and not run is given back after two looks",
                 "[actors][cluster]") {
  cluster.claims = {{"idle", 1}, {"busy", 2}};
  busy = {"busy"};
  cluster.next.reconnected = true;
  open();
  for (int i = 0; i < 9; ++i)
    advance(500ms);
  CHECK(cluster.given_back.empty());
  for (int i = 0; i < 13; ++i)
    advance(500ms);
  CHECK(cluster.given_back == std::vector<std::string>{"idle"});
}

TEST_CASE_METHOD(member_world, "a claim that was made anew between two looks is not given back",
                 "[actors][cluster]") {
  cluster.claims = {{"s", 1}};
  cluster.next.reconnected = true;
  open();
  for (int i = 0; i < 11; ++i)
    advance(500ms);
  cluster.claims = {{"s", 2}};
  for (int i = 0; i < 9; ++i)
    advance(500ms);
  CHECK(cluster.given_back.empty());
}

TEST_CASE_METHOD(member_world, "a node says once that it is cut off, and once that it is back",
                 "[actors][cluster]") {
  open();
  cluster.known->renewed(node_lease::clock::now() - 1h, false);
  cluster.next.error = {errc::store_failed, "the database is away"};
  advance(500ms);
  advance(500ms);
  CHECK(told() == std::vector<std::string>{R"("state":"cut_off")"});
  cluster.known->renewed(node_lease::clock::now(), true);
  advance(500ms);
  CHECK(told() == std::vector<std::string>{R"("state":"cut_off")", R"("state":"back")"});
}

} // namespace cluster_member_test

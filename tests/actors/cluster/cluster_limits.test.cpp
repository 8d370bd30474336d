#include "actors/cluster/cluster_limits.hpp"

#include <utility>

#include "tests/actors/cluster/fake_cluster.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace cluster_limits_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// What a database was told, and what it answers.
struct fake_limits {
  std::vector<std::vector<key_use>> told;
  std::vector<key_use> others;
  failure error;
  std::vector<take_place> asked;
  std::vector<bool> places; ///< the next answers; then there are none left
  std::vector<owner_turns> running;
  int cleared = 0;
};

class fake_limit_port : public limit_port {
public:
  explicit fake_limit_port(fake_limits& by) : by_{by} {}
  failure exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) override {
    by_.told.push_back(mine);
    others = by_.others;
    return by_.error;
  }

  failure take_place_of(const take_place& want, bool& taken) override {
    by_.asked.push_back(want);
    taken = !by_.places.empty() && by_.places.front();
    if (!by_.places.empty())
      by_.places.erase(by_.places.begin());
    return by_.error;
  }
  failure put(const owner_turns& now) override {
    by_.running.push_back(now);
    return by_.error;
  }
  failure clear_places() override {
    ++by_.cleared;
    return by_.error;
  }

private:
  fake_limits& by_;
};

class limited_node : public deterministic {
public:
  limited_node() {
    cluster.make_limits = [this] { return std::make_unique<fake_limit_port>(limits); };
    cluster.counted->serving = 3;
    cluster.counted->draining = 1;
    cluster_limits_config made;
    made.store = &cluster;
    made.counts = [this] { return std::exchange(counts, {}); };
    made.share = [this](const std::vector<key_share>& set, double others) {
      parts = set;
      rest = others;
    };
    made.detached = false;
    parent = make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                         [&](caf::local_actor& top) { actor = spawn_cluster_limits(top, made); });
  }
  ~limited_node() { crash(*this, parent); }

  /// Asks for a place; what is written there comes with the answer.
  std::shared_ptr<std::vector<errc>> want(const std::string& owner) {
    auto out = std::make_shared<std::vector<errc>>();
    sys.spawn([=, to = actor](caf::event_based_actor* asker) {
      asker->request(to, caf::infinite, take_place{owner, 1, 2})
          .then([=](const place_answer& answer) { out->push_back(answer.refused); });
    });
    run();
    return out;
  }

  void second() {
    sched().advance_time(1s);
    run();
  }

  fake_cluster cluster;
  fake_limits limits;
  std::vector<key_count> counts;
  std::vector<key_share> parts;
  double rest = 0;
  caf::actor parent;
  cluster_limits_actor actor;
};

} // namespace

TEST_CASE_METHOD(limited_node, "keys that are not used have the equal part, and cost no question",
                 "[actors][cluster]") {
  CHECK(rest == 0.25);
  cluster.counted->serving = 1;
  second();
  CHECK(rest == 0.5);
  CHECK(parts.empty());
  CHECK(limits.told.empty());
}

TEST_CASE_METHOD(limited_node, "what was taken is told each second, and the part follows from it",
                 "[actors][cluster]") {
  counts = {{"k", 30}};
  limits.others = {{"k", 10'000}};
  second();
  REQUIRE(limits.told.size() == 1);
  CHECK(limits.told[0] == std::vector<key_use>{{"k", 30'000}});
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].part == 0.75);
  second();
  CHECK(limits.told.at(1) == std::vector<key_use>{{"k", 24'000}});
}

TEST_CASE_METHOD(limited_node, "the parts stay while the database is away", "[actors][cluster]") {
  counts = {{"k", 30}};
  second();
  CHECK(parts.at(0).part == 1);
  limits.others = {{"k", 24'000}};
  limits.error = {errc::store_failed, "away"};
  second();
  CHECK(parts.at(0).part == 1);
  limits.error = {};
  second();
  CHECK(parts.at(0).part < 1);
}

TEST_CASE_METHOD(limited_node, "a turn has a place if the database has one", "[actors][cluster]") {
  limits.places = {true};
  CHECK(*want("ann") == std::vector{errc::none});
  REQUIRE(limits.asked.size() == 1);
  CHECK(limits.asked[0].owner == "ann");
  CHECK(limits.asked[0].running == 1);
  CHECK(limits.asked[0].most == 2);
  caf::anon_send(actor, owner_turns{"ann", 0});
  caf::anon_send(actor, atom::clear_v);
  run();
  REQUIRE(limits.running.size() == 1);
  CHECK(limits.running[0].running == 0);
  CHECK(limits.cleared == 1);
}

TEST_CASE_METHOD(limited_node, "a place that is not free is looked for once more",
                 "[actors][cluster]") {
  limits.places = {false, false, true, false};
  const auto first = want("ann");
  const auto second = want("bob");
  CHECK(first->empty());
  sched().advance_time(100ms);
  run();
  CHECK(*first == std::vector{errc::none});
  CHECK(*second == std::vector{errc::too_many_turns});
}

TEST_CASE_METHOD(limited_node, "while the database is away nobody gets a place",
                 "[actors][cluster]") {
  limits.error = {errc::store_failed, "away"};
  CHECK(*want("ann") == std::vector{errc::store_unreachable});
}

} // namespace cluster_limits_test

#include "actors/cluster/cluster_directory.hpp"

#include "tests/actors/cluster/played_cluster.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace cluster_directory_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class played_directory : public node_directory {
public:
  chat_owner find(const find_owner& ask) override { return {{}, 1, 2, "find " + ask.session_id}; }
  node_list nodes() override { return {{}, {node_named("a")}}; }
  chat_owner pick() override { return {{errc::store_failed, "away"}, 0, 0, ""}; }
  chat_owner take(const claim_orphan& ask) override {
    return {{}, 0, ask.epoch, "take " + ask.session_id};
  }
  failure drain(const std::string&) override { return {}; }
  failure forget(const std::string&, uint64_t&) override { return {}; }
};

} // namespace

TEST_CASE_METHOD(deterministic, "a directory answers each question from the database",
                 "[actors][cluster]") {
  played_cluster cluster;
  cluster.make_directory = [] { return std::make_unique<played_directory>(); };
  cluster_directory_actor directory;
  const auto parent =
      make_parent(*this, std::make_shared<std::vector<caf::error>>(), [&](caf::local_actor& top) {
        directory = spawn_cluster_directory(top, {&cluster, false});
      });
  CHECK(ask<chat_owner>(directory, find_owner{"s"}).address == "find s");
  CHECK(ask<node_list>(directory, list_nodes{}).nodes.size() == 1);
  CHECK(ask<chat_owner>(directory, pick_node{}).error.code == errc::store_failed);
  CHECK(ask<chat_owner>(directory, claim_orphan{"s", 1, 5}).epoch == 5);
  crash(*this, parent);
}

} // namespace cluster_directory_test

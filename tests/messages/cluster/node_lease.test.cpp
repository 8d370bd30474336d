#include "messages/cluster/node_lease.hpp"

#include "tests/support/catch.hpp"

namespace node_lease_test {

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a node serves until a second before its lease is over", "[messages][cluster]") {
  node_lease node{1, 5000ms, 500ms};
  const auto now = node_lease::clock::now();
  node.renewed(now, true);
  CHECK(node.serves(now));
  CHECK(node.serves(now + 3999ms));
  CHECK_FALSE(node.serves(now + 4000ms));
  node.renewed(now + 4500ms, false);
  CHECK(node.serves(now + 5000ms));
}

TEST_CASE("a node that has never renewed a lease does not serve", "[messages][cluster]") {
  const node_lease node{1, 5000ms, 500ms};
  CHECK_FALSE(node.serves());
  CHECK_FALSE(node.may_judge());
}

TEST_CASE("a node judges when its lease had no gap for the time of one", "[messages][cluster]") {
  node_lease node{1, 5000ms, 500ms};
  const auto start = node_lease::clock::now();
  node.renewed(start, true);
  for (auto at = start; at <= start + 5000ms; at += 500ms)
    node.renewed(at, false);
  CHECK(node.is_steady(start + 5000ms));
  CHECK(node.may_judge(start + 5000ms));
  SECTION("but not when it has not reached the database just now") {
    CHECK_FALSE(node.may_judge(start + 5500ms));
  }
  SECTION("nor after a gap") {
    node.renewed(start + 10000ms, false);
    CHECK_FALSE(node.may_judge(start + 10000ms));
    CHECK_FALSE(node.is_steady(start + 14999ms));
    CHECK(node.is_steady(start + 15000ms));
  }
  SECTION("nor after a new connection, which may be one to a database that was away") {
    node.renewed(start + 5100ms, true);
    CHECK_FALSE(node.may_judge(start + 5100ms));
  }
}

TEST_CASE("a node that is alone with its database always serves", "[messages][cluster]") {
  const node_lease node{1};
  CHECK(node.serves());
  CHECK(node.may_judge());
  CHECK(node.incarnation() == 1);
}

} // namespace node_lease_test

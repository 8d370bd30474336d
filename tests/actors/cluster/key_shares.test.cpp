#include "actors/cluster/cluster_limits.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace key_shares_test {

using namespace troupe;
using Catch::Matchers::WithinAbs;

namespace {

/// Nodes that tell each other what they took, a second after the other.
struct nodes_of_a_key {
  explicit nodes_of_a_key(size_t count) : shares(count), parts(count, 1. / double(count)) {}

  /// Each node takes what is wanted of it, or what its part of the rate is if that is less.
  void second(const std::vector<double>& wanted, double rate) {
    std::vector<std::vector<key_use>> told;
    for (size_t i = 0; i < shares.size(); ++i) {
      const auto taken = std::min(wanted[i], rate * parts[i]);
      shares[i].note(taken >= 1 ? std::vector<key_count>{{"k", uint64_t(taken)}}
                                : std::vector<key_count>{});
      told.push_back(shares[i].mine());
    }
    for (size_t i = 0; i < shares.size(); ++i)
      parts[i] = part(i, told);
  }

  double part(size_t of, const std::vector<std::vector<key_use>>& told) const {
    uint64_t elsewhere = 0;
    for (size_t i = 0; i < told.size(); ++i)
      if (i != of && !told[i].empty())
        elsewhere += told[i].front().taken;
    const auto all = elsewhere == 0 ? std::vector<key_use>{} : std::vector{key_use{"k", elsewhere}};
    const auto found = shares[of].parts(all, uint32_t(told.size()));
    return found.empty() ? 1. / double(told.size()) : found.front().part;
  }

  double sum() const {
    double out = 0;
    for (const auto each : parts)
      out += each;
    return out;
  }

  std::vector<key_shares> shares;
  std::vector<double> parts;
};

} // namespace

TEST_CASE("a node that all requests come to has the whole rate after a second",
          "[actors][cluster]") {
  nodes_of_a_key nodes{3};
  nodes.second({1000, 0, 0}, 300);
  CHECK_THAT(nodes.parts[0], WithinAbs(1, 0.001));
  CHECK_THAT(nodes.parts[1], WithinAbs(1. / 3, 0.001));
}

TEST_CASE("nodes that all want more than the rate have it together", "[actors][cluster]") {
  nodes_of_a_key nodes{3};
  for (int i = 0; i < 5; ++i)
    nodes.second({1000, 100, 0}, 300);
  for (int i = 0; i < 60; ++i)
    nodes.second({1000, 1000, 1000}, 300);
  CHECK_THAT(nodes.sum(), WithinAbs(1, 0.02));
  CHECK_THAT(nodes.parts[2], WithinAbs(1. / 3, 0.02));
}

TEST_CASE("a key that moves to another node is let in there, and soon has all of its rate",
          "[actors][cluster]") {
  nodes_of_a_key nodes{2};
  for (int i = 0; i < 10; ++i)
    nodes.second({1000, 0}, 300);
  for (int i = 0; i < 15; ++i)
    nodes.second({0, 1000}, 300);
  CHECK(nodes.parts[1] > 0.9);
}

TEST_CASE("a key that was not used for a while is told to nobody", "[actors][cluster]") {
  key_shares shares;
  shares.note({{"k", 100}, {"l", 1}});
  CHECK(shares.mine() == std::vector<key_use>{{"k", 100'000}, {"l", 1000}});
  for (int i = 0; i < 20; ++i)
    shares.note({});
  REQUIRE(shares.mine().size() == 1);
  CHECK(shares.mine().front().key == "k");
  for (int i = 0; i < 20; ++i)
    shares.note({});
  CHECK(shares.mine().empty());
  CHECK(shares.parts({{"k", 5}}, 2).empty());
}

} // namespace key_shares_test

// A database of nodes that the test plays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "messages/cluster/cluster_store.hpp"

namespace troupe::test {

/// What its owner was asked, and what it answers.
class fake_cluster : public cluster_store, public member_port {
public:
  explicit fake_cluster(std::chrono::milliseconds lease = std::chrono::milliseconds{5000})
      : known{std::make_shared<node_lease>(1, lease, std::chrono::milliseconds{500})} {
    known->renewed(node_lease::clock::now(), true);
  }

  // -- cluster_store
  member_port& members() override { return *this; }
  std::unique_ptr<node_directory> directory() override { return make_directory(); }
  std::unique_ptr<limit_port> limits() override { return make_limits(); }
  std::shared_ptr<const node_lease> lease() const override { return known; }
  std::shared_ptr<cluster_counts> counts() const override { return counted; }

  // -- member_port
  member_beat beat(const member_news& news) override {
    beats.push_back(news);
    return std::exchange(next, {});
  }
  failure sweep(uint64_t incarnation, uint64_t& freed, bool& more) override {
    sweeps.push_back(incarnation);
    freed = 2;
    more = --pieces > 0;
    return sweep_error;
  }
  node_list nodes() override {
    ++lists;
    return {{}, listed};
  }
  failure claimed(std::vector<claimed_chat>& out) override {
    out = claims;
    return {};
  }
  failure give_back(const claimed_chat& chat) override {
    given_back.push_back(chat.session_id);
    return {};
  }
  failure hold(const wanted_servers& want, held_servers& out) override {
    wishes.push_back(want);
    out = held;
    return hold_error;
  }
  failure release(const std::string& server) override {
    released.push_back(server);
    return {};
  }
  failure leave() override {
    ++leaves;
    return {};
  }

  std::shared_ptr<node_lease> known;
  std::shared_ptr<cluster_counts> counted = std::make_shared<cluster_counts>();
  std::function<std::unique_ptr<node_directory>()> make_directory;
  std::function<std::unique_ptr<limit_port>()> make_limits;
  std::vector<member_news> beats;
  member_beat next;             ///< answers the next beat
  std::vector<uint64_t> sweeps; ///< incarnations
  int pieces = 1;               ///< of the next sweep
  failure sweep_error;
  std::vector<cluster_node> listed;
  size_t lists = 0, leaves = 0;
  std::vector<claimed_chat> claims;
  std::vector<std::string> given_back;
  std::vector<wanted_servers> wishes;
  held_servers held; ///< answers each
  failure hold_error;
  std::vector<std::string> released;
};

inline cluster_node node_named(const std::string& name, uint64_t incarnation = 7,
                               cluster_state state = cluster_state::serving) {
  cluster_node out;
  out.incarnation = incarnation;
  out.name = name;
  out.state = state;
  return out;
}

} // namespace troupe::test

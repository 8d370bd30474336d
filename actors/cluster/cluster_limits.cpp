#include "actors/cluster/cluster_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

// -- key shares -----------------------------------------------------------------------------------

namespace {

/// The share of a request's weight that remains after a second: nearly all of the sum is from the
/// last ten.
constexpr double kept = 0.8;
/// Keys that were used less are forgotten.
constexpr double least = 0.05;
constexpr double thousand = 1000;

} // namespace

void key_shares::note(const std::vector<key_count>& counts) {
  for (auto& [key, requests] : used_)
    requests *= kept;
  for (const auto& each : counts)
    used_[each.key] += static_cast<double>(each.requests);
  std::erase_if(used_, [](const auto& each) { return each.second < least; });
}

std::vector<key_use> key_shares::mine() const {
  std::vector<key_use> out;
  out.reserve(used_.size());
  for (const auto& [key, requests] : used_)
    out.push_back({key, static_cast<uint64_t>(std::llround(requests * thousand))});
  return out;
}

std::vector<key_share> key_shares::parts(const std::vector<key_use>& others, uint32_t nodes) const {
  std::unordered_map<std::string_view, double> elsewhere;
  for (const auto& each : others)
    elsewhere.emplace(each.key, static_cast<double>(each.taken) / thousand);
  std::vector<key_share> out;
  out.reserve(used_.size());
  for (const auto& [key, here] : used_) {
    const auto there = elsewhere.find(key);
    const auto all = here + (there == elsewhere.end() ? 0 : there->second);
    out.push_back({key, std::max(here / all, 1. / nodes)});
  }
  return out;
}

// -- cluster limits -------------------------------------------------------------------------------

namespace {

constexpr std::chrono::seconds exchange_interval{1};
/// A place that another node has given back may not be known as free when its client asks here.
constexpr std::chrono::milliseconds second_look{100};
constexpr size_t most_waiting = 1000;

struct cluster_limits_state {
  static inline const char* name = "troupe.cluster_limits";

  explicit cluster_limits_state(cluster_limits_actor::pointer ptr) : self{ptr} {}

  void on_tick() {
    share_keys();
    self->delayed_send(self, exchange_interval, atom::tick_v);
  }

  /// A second in which no key was used asks the database nothing.
  void share_keys() {
    keys.note(config.counts());
    const auto mine = keys.mine();
    std::vector<key_use> others;
    if (!mine.empty() && port->exchange(mine, others))
      return;
    const auto nodes = config.store->counts()->living();
    config.share(keys.parts(others, nodes), 1. / nodes);
  }

  caf::result<place_answer> on_take(const take_place& want) {
    auto answer = look(want);
    if (answer.refused != errc::too_many_turns || waiting.size() >= most_waiting)
      return answer;
    auto promise = self->make_response_promise<place_answer>();
    waiting.emplace_back(want, promise);
    self->delayed_send(self, second_look, atom::look_v);
    return promise;
  }

  place_answer look(const take_place& want) {
    bool taken = false;
    if (port->take_place_of(want, taken))
      return {errc::store_unreachable};
    return {taken ? errc::none : errc::too_many_turns};
  }

  /// Comes once for each that waits, in their order.
  void on_look() {
    auto [want, promise] = std::move(waiting.front());
    waiting.pop_front();
    promise.deliver(look(want));
  }

  /// A count that the database does not take now is replaced by the owner's next one.
  void on_turns(const owner_turns& now) { port->put(now); }

  cluster_limits_actor::pointer self;
  cluster_limits_config config;
  std::unique_ptr<limit_port> port;
  key_shares keys;
  std::deque<std::pair<take_place, caf::typed_response_promise<place_answer>>> waiting;
};

cluster_limits_actor::behavior_type
cluster_limits(cluster_limits_actor::stateful_pointer<cluster_limits_state> self,
               cluster_limits_config config) {
  auto& state = self->state;
  quiet(self);
  state.config = std::move(config);
  state.port = state.config.store->limits();
  if (state.config.counts)
    state.on_tick();
  return {
      [&state](const take_place& want) { return state.on_take(want); },
      [&state](const owner_turns& now) { state.on_turns(now); },
      [&state](atom::clear) { state.port->clear_places(); },
      [&state](atom::tick) { state.on_tick(); },
      [&state](atom::look) { state.on_look(); },
  };
}

} // namespace

cluster_limits_actor spawn_cluster_limits(caf::local_actor& parent, cluster_limits_config config) {
  if (config.detached)
    return parent.spawn<caf::linked + caf::detached>(cluster_limits, std::move(config));
  return parent.spawn<caf::linked>(cluster_limits, std::move(config));
}

} // namespace troupe

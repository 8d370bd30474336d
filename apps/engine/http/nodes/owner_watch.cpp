#include "apps/engine/http/nodes/owner_watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

namespace {

constexpr std::chrono::milliseconds look_period{500};

/// So long a node may say nothing before it is asked for a sign of life; a turn may wait longer.
constexpr int looks_before_probe = 3;

/// With that, who asks is answered within five seconds.
constexpr std::chrono::milliseconds probe_limit{2000};

/// How long the list of nodes may take: it is read from the database.
constexpr std::chrono::seconds list_limit{5};

/// Returns whether a start of a node has its lease.
bool lives(const node_list& all, uint64_t incarnation) {
  return std::ranges::any_of(all.nodes, [incarnation](const cluster_node& each) {
    return each.incarnation == incarnation && each.state != cluster_state::dead &&
           each.lease_left_ms > 0;
  });
}

} // namespace

owner_watch::owner_watch(caf::event_based_actor* self, http_port& http, teller tell)
    : self_(self), http_(http), tell_(std::move(tell)) {}

void owner_watch::begin(const chat_owner& to) {
  owner_ = to;
  silent_looks_ = 0;
  ++probes_; // a late answer of another node's probe is not this one's
  probe_ = nullptr;
  if (!std::exchange(looks_, true))
    self_->delayed_send(self_, look_period, atom::look_v);
}

void owner_watch::look() {
  self_->delayed_send(self_, look_period, atom::look_v);
  if (++silent_looks_ == looks_before_probe)
    probe();
  auto directory = whereis<cluster_directory_actor>(self_->system(), cluster_directory_name);
  if (!directory)
    return;
  self_->request(directory, list_limit, list_nodes{})
      .then(
          [this](const node_list& all) {
            if (!all.error && !lives(all, owner_.incarnation))
              tell_(news::dead);
          },
          [](const caf::error&) {});
}

/// Any answer will do: without a signature it is a 401.
void owner_watch::probe() {
  http_request what;
  what.url = owner_.address + '/';
  what.deadlines = {probe_limit, probe_limit, probe_limit, probe_limit};
  what.direct = true;
  const caf::actor me{self_};
  const auto number = ++probes_;
  probe_ = http_.open(std::move(what), number, [me, number](http_part&& part) {
    if (part.last)
      caf::anon_send(me, number, part.error == errc::none);
  });
}

void owner_watch::on_probed(uint64_t number, bool answers) {
  if (number != probes_)
    return;
  probe_ = nullptr;
  silent_looks_ = 0;
  if (!answers)
    tell_(news::silent);
}

} // namespace troupe

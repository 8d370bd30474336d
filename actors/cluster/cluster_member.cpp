#include "actors/cluster/cluster_member.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/cluster/server_assignments.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "messages/cluster/cluster_counts.hpp"
#include "messages/cluster/cluster_node.hpp"
#include "messages/cluster/member_port.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

// -- orphan claims --------------------------------------------------------------------------------

/// Finds the chats to be given back. A claim is one when two looks in a row have found it, and no
/// session ran it at either: between them its save had the time to arrive. Not thread safe.
class orphan_claims {
public:
  /// A look at the database. @return the chats that sessions must be asked about
  const std::vector<claimed_chat>& look(std::vector<claimed_chat> claimed);

  /// The answer of the sessions about these chats. @param busy scoped ids @return the chats to be
  /// given back
  std::vector<claimed_chat> heard(const std::vector<std::string>& busy);

  /// Returns whether the next look should come soon.
  bool suspects() const noexcept { return !suspected_.empty(); }

  void forget() { suspected_.clear(); }

private:
  std::vector<claimed_chat> looked_at_;
  std::vector<claimed_chat> suspected_; ///< by the look before
};

const std::vector<claimed_chat>& orphan_claims::look(std::vector<claimed_chat> claimed) {
  looked_at_ = std::move(claimed);
  return looked_at_;
}

std::vector<claimed_chat> orphan_claims::heard(const std::vector<std::string>& busy) {
  std::vector<claimed_chat> out;
  std::vector<claimed_chat> suspected;
  const std::unordered_set<std::string_view> runs{busy.begin(), busy.end()}; // nearly all of them
  for (auto& each : std::exchange(looked_at_, {})) {
    if (runs.contains(each.session_id))
      continue;
    const bool again = std::ranges::find(suspected_, each) != suspected_.end();
    (again ? out : suspected).push_back(std::move(each));
  }
  suspected_ = std::move(suspected);
  return out;
}

// -- known nodes ----------------------------------------------------------------------------------

/// Finds out which nodes came and went between two looks. Not thread safe.
class known_nodes {
public:
  /// Takes a look. @param counts get the numbers of nodes by state
  void update(const std::vector<cluster_node>& now, cluster_counts& counts);

  /// Returns the names that came, or went, with the last look; sorted.
  const std::vector<std::string>& came() const noexcept { return came_; }
  const std::vector<std::string>& gone() const noexcept { return gone_; }

private:
  std::set<std::string> names_; ///< of those that live
  std::vector<std::string> came_, gone_;
};

void known_nodes::update(const std::vector<cluster_node>& now, cluster_counts& counts) {
  std::set<std::string> names;
  uint32_t by_state[3] = {0, 0, 0};
  for (const auto& each : now) {
    ++by_state[static_cast<size_t>(each.state)];
    if (each.state != cluster_state::dead)
      names.insert(each.name);
  }
  counts.serving = by_state[0];
  counts.draining = by_state[1];
  counts.dead = by_state[2];
  came_.clear();
  gone_.clear();
  std::ranges::set_difference(names, names_, std::back_inserter(came_));
  std::ranges::set_difference(names_, names, std::back_inserter(gone_));
  names_ = std::move(names);
}

// -- cluster member -------------------------------------------------------------------------------

namespace {

using std::chrono::milliseconds;

/// How often a node of few lists them all.
constexpr std::chrono::seconds list_interval{5};
/// How often the node looks for claims that it does not run, while there are no signs of any.
constexpr std::chrono::seconds claims_interval{30};
/// How long the session hub may take to say which chats are busy.
constexpr std::chrono::seconds hub_limit{5};

struct cluster_member_state {
  using clock = caf::actor_clock::clock_type;
  static inline const char* name = "troupe.cluster_member";

  explicit cluster_member_state(cluster_member_actor::pointer ptr) : self{ptr} {}

  void start(cluster_member_config with) {
    config = std::move(with);
    assignments.emplace(self, *config.store);
    self->set_down_handler([this](caf::down_msg& msg) { assignments->on_down(msg.source); });
    next_claims = now() + claims_interval;
    on_tick();
  }

  void on_tick() {
    if (left)
      return;
    const auto begun = now();
    beat();
    assignments->look(drains());
    if (begun >= next_list)
      list_nodes();
    if (begun >= next_claims)
      look_at_claims();
    const auto took = now() - begun;
    self->delayed_send(self, std::max<clock::duration>(config.beat - took, milliseconds{1}),
                       atom::tick_v);
  }

  void beat() {
    auto out = port().beat({draining ? cluster_state::draining : cluster_state::serving,
                            static_cast<uint32_t>(config.turns->load())});
    if (out.lost != 0)
      on_lost(out.lost);
    if (out.reconnected) {
      claims.forget();
      next_claims = now() + lease()->duration();
    }
    if (std::exchange(asked_to_drain, out.is_to_drain) != out.is_to_drain && out.is_to_drain)
      write_log(config.log.get(), log_level::info, "cluster", log_line{}.add("state", "draining"));
    note_lease(out.error);
    for (auto& each : out.dead)
      sweep(std::move(each));
  }

  /// The turns of this node were taken away while it was stopped or cut off. The sessions must not
  /// find that out only with their next save.
  void on_lost(uint64_t incarnation) {
    write_log(
        config.log.get(), log_level::warning, "cluster",
        log_line{}
            .add("state", "fenced")
            .add("message", "the other nodes took this one for dead, and its turns are lost"));
    assignments->lose();
    if (auto hub = whereis<session_hub_actor>(self->system(), session_hub_name))
      self->send(hub, atom::restart_v, incarnation);
  }

  void note_lease(const failure& why) {
    const bool cut_off = !lease()->serves();
    if (std::exchange(was_cut_off, cut_off) == cut_off)
      return;
    log_line line;
    line.add("state", cut_off ? "cut_off" : "back");
    if (cut_off && why)
      line.add("error", why.code).add("message", why.text());
    write_log(config.log.get(), cut_off ? log_level::error : log_level::warning, "cluster", line);
  }

  // -- dead nodes

  void sweep(cluster_node&& node) {
    const auto is_known = std::ranges::any_of(
        to_sweep, [&](const auto& each) { return each.incarnation == node.incarnation; });
    if (is_known)
      return;
    write_log(
        config.log.get(), log_level::warning, "cluster",
        log_line{}.add("state", "dead").add("node", node.name).add("silentMs", node.silent_ms));
    to_sweep.push_back(std::move(node));
    if (to_sweep.size() == 1) // else a piece of the first one is on its way
      do_piece();
  }

  /// A piece at a time: the lease must be renewed in between.
  void do_piece() {
    if (to_sweep.empty())
      return;
    uint64_t freed = 0;
    bool more = false;
    const auto error = port().sweep(to_sweep.front().incarnation, freed, more);
    swept += freed;
    if (error || !more) {
      log_sweep(error);
      to_sweep.pop_front(); // where it failed, the next beat finds the node again
      swept = 0;
    }
    if (!to_sweep.empty())
      self->send(self, atom::piece_v);
  }

  void log_sweep(const failure& error) {
    log_line line;
    line.add("state", error ? "sweep_failed" : "swept").add("node", to_sweep.front().name);
    line.add("turns", swept);
    if (error)
      line.add("error", error.code).add("message", error.text());
    write_log(config.log.get(), log_level::warning, "cluster", line);
  }

  // -- the others

  void list_nodes() {
    const auto list = port().nodes();
    // All look at all: the more there are, the less often.
    next_list = now() + list_interval * (1 + list.nodes.size() / 20);
    if (list.error)
      return;
    known.update(list.nodes, *config.store->counts());
    for (const auto& each : known.came())
      log_node("came", each);
    for (const auto& each : known.gone())
      log_node("gone", each);
  }

  void log_node(std::string_view what, const std::string& node) {
    write_log(config.log.get(), log_level::info, "cluster",
              log_line{}.add("state", what).add("node", node));
  }

  // -- claims that this node does not run

  void look_at_claims() {
    next_claims = now() + claims_interval;
    std::vector<claimed_chat> all;
    if (port().claimed(all))
      return;
    find_busy_chats ask;
    for (const auto& each : claims.look(std::move(all)))
      ask.session_ids.push_back(each.session_id);
    auto hub = whereis<session_hub_actor>(self->system(), session_hub_name);
    if (ask.session_ids.empty() || !hub)
      return claims.forget();
    self->request(hub, hub_limit, std::move(ask))
        .then([this](const busy_chats& busy) { give_back(busy); },
              [this](const caf::error&) { claims.forget(); });
  }

  void give_back(const busy_chats& busy) {
    for (const auto& each : claims.heard(busy.session_ids)) {
      log_error("given_back", port().give_back(each));
    }
    if (claims.suspects())
      next_claims = now() + lease()->duration();
  }

  // -- the end

  atom::done on_drain() {
    draining = true;
    beat();
    assignments->look(true);
    return atom::done_v;
  }

  atom::done on_leave() {
    draining = left = true;
    if (const auto error = port().leave()) // then its lease runs out
      log_error("leave_failed", error);
    return atom::done_v;
  }

  /// @param error none: it went well
  void log_error(std::string_view state, const failure& error) {
    log_line line;
    line.add("state", state);
    if (error)
      line.add("error", error.code).add("message", error.text());
    write_log(config.log.get(), log_level::warning, "cluster", line);
  }

  bool drains() const { return draining || asked_to_drain; }
  member_port& port() const { return config.store->members(); }
  std::shared_ptr<const node_lease> lease() const { return config.store->lease(); }
  clock::time_point now() const { return self->system().clock().now(); }

  cluster_member_actor::pointer self;
  cluster_member_config config;
  bool draining = false, left = false; ///< the process is about to end
  bool asked_to_drain = false;
  bool was_cut_off = false;
  std::deque<cluster_node> to_sweep; ///< at most the three successors
  uint64_t swept = 0;                ///< turns of the first of them
  known_nodes known;
  orphan_claims claims;
  std::optional<server_assignments> assignments; ///< from start() on
  clock::time_point next_list{}, next_claims{};
};

cluster_member_actor::behavior_type
cluster_member(cluster_member_actor::stateful_pointer<cluster_member_state> self,
               cluster_member_config config) {
  auto& state = self->state;
  quiet(self);
  state.start(std::move(config));
  return {
      [&state](const want_server& want) { state.assignments->on_want(want); },
      [&state](const server_closed& what) { state.assignments->on_closed(what); },
      [&state](atom::drain) { return state.on_drain(); },
      [&state](atom::disconnect) { return state.on_leave(); },
      [&state](atom::tick) { state.on_tick(); },
      [&state](atom::piece) { state.do_piece(); },
  };
}

} // namespace

cluster_member_actor spawn_cluster_member(caf::local_actor& parent, cluster_member_config config) {
  if (config.detached)
    return parent.spawn<caf::linked + caf::detached>(cluster_member, std::move(config));
  return parent.spawn<caf::linked>(cluster_member, std::move(config));
}

} // namespace troupe

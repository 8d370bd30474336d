#include "apps/engine/http/nodes/remote_call.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <caf/all.hpp>
#include <caf/event_based_actor.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/answer_relay.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/requests/request_refusal.hpp"
#include "messages/cluster/cluster_messages.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

// -- node watch -----------------------------------------------------------------------------------

/// Looks after the node that a request went to, while its answer has not begun. A process that
/// hangs takes connections: only the database knows that it is dead. One behind a line that is cut
/// is alive in the database: only a probe tells. Part of one actor, which passes its messages on.
class node_watch {
public:
  enum class news : uint8_t {
    dead,  ///< its lease is over
    silent ///< it lives, but no answer comes from it
  };
  using teller = std::function<void(news)>;

  /// @param self outlives this, as does `http` @param tell is called in `self`, maybe repeatedly
  node_watch(caf::event_based_actor* self, http_port& http, teller tell);

  /// A request has just gone to that node.
  void begin(const chat_owner& to);

  /// For atom::look, which begin() has sent after a while.
  void look();

  /// For the answer of a probe, which look() has sent. @param number of the probe
  void on_probed(uint64_t number, bool answers);

private:
  void probe();

  caf::event_based_actor* self_;
  http_port& http_;
  teller tell_;
  chat_owner owner_;
  bool looks_ = false;
  int silent_looks_ = 0;
  uint64_t probes_ = 0;
  std::unique_ptr<http_exchange> probe_;
};

namespace {

constexpr std::chrono::milliseconds look_period{500};

/// The number of looks during which a node may say nothing before it is asked for a sign of life; a
/// turn may wait longer.
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

node_watch::node_watch(caf::event_based_actor* self, http_port& http, teller tell)
    : self_(self), http_(http), tell_(std::move(tell)) {}

void node_watch::begin(const chat_owner& to) {
  owner_ = to;
  silent_looks_ = 0;
  ++probes_; // a late answer of another node's probe is not this one's
  probe_ = nullptr;
  if (!std::exchange(looks_, true))
    self_->delayed_send(self_, look_period, atom::look_v);
}

void node_watch::look() {
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
void node_watch::probe() {
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

void node_watch::on_probed(uint64_t number, bool answers) {
  if (number != probes_)
    return;
  probe_ = nullptr;
  silent_looks_ = 0;
  if (!answers)
    tell_(news::silent);
}

// -- remote call ----------------------------------------------------------------------------------

namespace {

/// The number of times that a busy chat is tried here: its turn may have ended elsewhere in
/// between.
constexpr int most_rounds = 2;

/// How often it looks again, and how long.
constexpr int most_looks_again = 2;
constexpr std::chrono::milliseconds look_again_after{200};
constexpr std::chrono::seconds search_limit{2};

/// How long the directory may take: it reads from the database.
constexpr std::chrono::seconds directory_limit{5};

/// A forward_start on its way to its actor.
using start_kind = std::underlying_type_t<forward_start::kind>;

///     looking --another node--> forwarding --its answer begins--> over
///      ^  |                        |
///      |  '--nobody--> run here    '--not its turn, no connection--> waiting
///      '--------------------200 ms, twice at most---------------------'
struct remote_call_state {
  static inline const char* name = "troupe.remote_call";

  explicit remote_call_state(caf::event_based_actor* ptr) : self{ptr} {}
  ~remote_call_state() {
    if (by != nullptr)
      --by->searches();
  }

  void start() {
    chat = chat_of(*call);
    watch.emplace(self, by->setup().http, [this](node_watch::news what) { on_news(what); });
    watch_client();
    look();
  }

  /// Again after each relay, which has watched itself.
  void watch_client() {
    const caf::actor me{self};
    call->response->watch([me, left = left](response_signal what) {
      if (what != response_signal::gone)
        return;
      *left = true;
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
    });
  }

  // -- looking

  void look() {
    is_for_any = false;
    if (row->turn == turn_place::fresh || chat.empty())
      return pick_another();
    ask(find_owner{chat}, [this] { nobody(); });
  }

  /// No other node runs a turn of the chat.
  void nobody() {
    if (!by->drains())
      return run_here();
    auto hub = whereis<session_hub_actor>(self->system(), session_hub_name);
    if (!hub)
      return pick_another();
    self->request(hub, directory_limit, find_busy_chats{{chat}})
        .then(
            [this](const busy_chats& here) {
              if (here.session_ids.empty())
                pick_another();
              else
                run_here();
            },
            [this](const caf::error&) { pick_another(); });
  }

  /// Another node takes the call, which each node could run: this one drains.
  void pick_another() {
    is_for_any = true;
    ask(pick_node{owner.incarnation}, [this] { run_here(); });
  }

  /// @param nobody_else what is done if there is no other node
  template <class Question>
  void ask(Question what, std::function<void()> nobody_else) {
    auto directory = whereis<cluster_directory_actor>(self->system(), cluster_directory_name);
    if (!directory)
      return refuse({errc::shutting_down, ""});
    self->request(directory, directory_limit, std::move(what))
        .then(
            [this, nobody_else = std::move(nobody_else)](chat_owner& found) {
              if (*left)
                return end();
              if (found.error)
                return refuse(found.error);
              if (found.incarnation == 0)
                return nobody_else();
              forward(found);
            },
            [this](const caf::error&) {
              refuse({errc::store_timeout, ""});
            });
  }

  // -- the two ends

  void run_here() {
    if (*left)
      return end();
    if (held && (round == most_rounds || is_for_any))
      call->response->send(held->status, held->fields, std::move(held->body));
    else
      by->try_here(*row, std::move(*call), round);
    end();
  }

  void refuse(const failure& why) {
    if (*left)
      return end();
    auto& in = call->request;
    refuse_request(in.path, *call->response, why,
                   {{"x-request-id", std::string{call->known.request_id}}});
    end();
  }

  // -- forwarding

  void forward(const chat_owner& to) {
    owner = to;
    forward_terms terms{call->who.owner, call->who.concurrent_turns,
                        is_for_any ? 0 : to.incarnation};
    relay = std::make_shared<answer_relay>(call->response, by->counts());
    const caf::actor me{self};
    relay->begin(
        by->setup().http, make_forward(call->request, terms, by->sender(), to.address),
        [me](forward_start how) {
          caf::anon_send(me, static_cast<start_kind>(how.what), std::move(how.why), how.was_sent);
        },
        [me] { caf::anon_send(me, client_signal{response_signal::gone}); });
    watch->begin(to);
  }

  void on_news(node_watch::news what) {
    if (*left)
      return end();
    if (!relay || !relay->give_up())
      return;
    relay = nullptr;
    watch_client();
    const bool may_repeat = row->turn == turn_place::owner; // others may have begun the turn
    if (what == node_watch::news::silent || !may_repeat)
      return refuse({errc::owner_unreachable, ""});
    look();
  }

  void on_start(forward_start::kind what, const failure& why, bool was_sent) {
    if (what == forward_start::kind::passed || *left)
      return end();
    denied = what == forward_start::kind::not_owner;
    if (!denied)
      log(why);
    const bool may_repeat = !was_sent || row->turn == turn_place::owner;
    if (what == forward_start::kind::refused || !may_repeat)
      return refuse({errc::owner_unreachable, ""});
    look_again();
  }

  void look_again() {
    relay = nullptr;
    watch_client();
    if (++looks_again > most_looks_again || self->clock().now() - begun >= search_limit)
      return refuse({errc::owner_unreachable, ""});
    self->delayed_send(self, look_again_after, atom::tick_v);
  }

  /// A node that has said twice that it does not run the turn has lost the chat.
  void on_tick() {
    if (denied && !is_for_any && looks_again == most_looks_again)
      return ask(claim_orphan{chat, owner.incarnation, owner.epoch}, [this] { nobody(); });
    if (is_for_any)
      return pick_another();
    look();
  }

  void log(const failure& why) const {
    log_line line;
    line.add("to", owner.address).add("method", call->request.method);
    line.add("path", call->request.path).add("code", why.code).add("message", why.text());
    write_log(by->setup().log.get(), log_level::warning, "forward", line);
  }

  /// Also from start(), before there is a behavior.
  void end() {
    over = true;
    self->quit();
  }

  void on_client_left() {
    if (relay)
      relay->cancel();
    end();
  }

  caf::event_based_actor* self;
  turn_forwarder* by = nullptr;
  const http_route* row = nullptr;
  std::unique_ptr<http_call> call;
  std::unique_ptr<held_answer> held;
  int round = 0;
  std::string chat; ///< scoped
  std::shared_ptr<std::atomic<bool>> left = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<answer_relay> relay;
  chat_owner owner; ///< the node that it was forwarded to last
  bool is_for_any = false;
  bool denied = false; ///< that node does not run the turn
  std::optional<node_watch> watch;
  bool over = false;
  int looks_again = 0;
  caf::actor_clock::time_point begun{};
};

/// The arguments with which a search begins.
struct remote_ask {
  turn_forwarder* by;
  const http_route* row;
  std::unique_ptr<http_call> call;
  std::unique_ptr<held_answer> held;
  int round;
};

caf::behavior remote_call(caf::stateful_actor<remote_call_state>* self, remote_ask what) {
  quiet(self);
  auto& state = self->state;
  state.by = what.by;
  state.row = what.row;
  state.call = std::move(what.call);
  state.held = std::move(what.held);
  state.round = what.round;
  state.begun = self->clock().now();
  state.start();
  if (state.over)
    return {};
  return {[&state](const client_signal&) { state.on_client_left(); },
          [&state](start_kind kind, const failure& why, bool was_sent) {
            state.on_start(static_cast<forward_start::kind>(kind), why, was_sent);
          },
          [&state](atom::tick) { state.on_tick(); }, [&state](atom::look) { state.watch->look(); },
          [&state](uint64_t probe, bool answers) { state.watch->on_probed(probe, answers); }};
}

} // namespace

void spawn_remote_call(turn_forwarder& by, const http_route& row, http_call&& in,
                       std::unique_ptr<held_answer> held, int round) {
  ++by.searches(); // until the actor's end
  by.setup().system.spawn(
      remote_call,
      remote_ask{&by, &row, std::make_unique<http_call>(std::move(in)), std::move(held), round});
}

} // namespace troupe

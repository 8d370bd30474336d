#include "actors/session_hub.hpp"

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/urgent.hpp"
#include "messages/mcp_interfaces.hpp"

namespace troupe {

namespace {

/// After the drain limit: how long the aborted turns may take to send their last events.
constexpr std::chrono::seconds abort_grace{2};

struct session_hub_state {
  static inline const char* name = "troupe.session_hub";

  explicit session_hub_state(session_hub_actor::pointer ptr) : self{ptr} {}

  session_hub_actor::behavior_type make_behavior() {
    return {
        [this](start_turn& ask) { on_start(ask); },
        [this](const abort_turn& ask) { pass_on(ask.session_id, ask); },
        [this](const grant_credit& more) { pass_on(more.session_id, more); },
        [this](const turn_ended& ended) { on_ended(ended.session_id); },
        [this](atom::status) {
          return session_counts{sessions.size(), running, turns, draining};
        },
        [this](atom::drain, caf::timespan limit) { return on_drain(limit); },
        [this](atom::expire) { on_timer(); },
    };
  }

  using clock = std::chrono::steady_clock;

  struct entry {
    session_actor handle;
    bool running = false;
    std::list<std::string>::iterator place; ///< in `idle`, unless running
    clock::time_point idle_since;           ///< unless running
    caf::strong_actor_ptr client;           ///< of the running turn
  };

  void on_start(start_turn& ask) {
    if (draining)
      return refuse(errc::shutting_down);
    auto known = sessions.find(ask.request.session_id);
    if (known == sessions.end() && !make_room())
      return refuse(errc::too_many_sessions);
    if (known == sessions.end())
      known = add(ask.request.session_id);
    auto& found = known->second;
    if (found.running)
      return refuse(errc::session_busy);
    idle.erase(found.place);
    found.running = true;
    found.client = self->current_sender();
    ++running;
    ++turns;
    watch_tools();
    self->delegate(found.handle, std::move(ask));
  }

  void refuse(errc error) {
    auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
    self->send(client, turn_refused{error, ""});
  }

  /// Lets the session that was idle for longest go, when there are too many.
  bool make_room() {
    if (sessions.size() < config.max_sessions)
      return true;
    if (idle.empty())
      return false;
    expire_oldest();
    return true;
  }

  void expire_oldest() {
    auto oldest = sessions.find(idle.front());
    self->send(oldest->second.handle, atom::expire_v);
    forget(oldest);
  }

  using sessions_map = std::unordered_map<std::string, entry>;

  sessions_map::iterator add(const std::string& id) {
    auto handle = spawn_session(self, id, config.session);
    by_address.emplace(handle.address(), id);
    idle.push_back(id);
    entry made{std::move(handle), false, std::prev(idle.end()), now(), nullptr};
    return sessions.emplace(id, std::move(made)).first;
  }

  void forget(sessions_map::iterator gone) {
    if (!gone->second.running)
      idle.erase(gone->second.place);
    by_address.erase(gone->second.handle.address());
    sessions.erase(gone);
  }

  template <class Message>
  void pass_on(const std::string& id, const Message& message) {
    if (auto found = sessions.find(id); found != sessions.end())
      self->send<caf::message_priority::high>(found->second.handle, message);
  }

  void on_ended(const std::string& id) {
    auto found = sessions.find(id);
    if (found == sessions.end() || !found->second.running)
      return;
    found->second.running = false;
    found->second.client = nullptr;
    idle.push_back(id);
    found->second.place = std::prev(idle.end());
    found->second.idle_since = now();
    watch_idle();
    turn_over();
  }

  void turn_over() {
    if (--running == 0)
      all_drained();
  }

  // -- idle sessions -----------------------------------------------------------------------------

  // The hub ends them, not they themselves: a turn that is on its way to a session can so not meet
  // its end.

  void watch_idle() {
    if (idle.empty() || std::exchange(watching_idle, true))
      return;
    self->delayed_send(self, due(idle.front()) - now(), atom::expire_v);
  }

  clock::time_point due(const std::string& id) {
    return sessions.find(id)->second.idle_since + config.session->idle_timeout;
  }

  void end_idle() {
    watching_idle = false;
    while (!idle.empty() && due(idle.front()) <= now())
      expire_oldest();
    watch_idle();
  }

  // -- crashes -----------------------------------------------------------------------------------

  void on_down(const caf::down_msg& msg) {
    auto known = by_address.find(msg.source);
    if (known == by_address.end())
      return on_tools_down(msg);
    auto found = sessions.find(known->second);
    auto was_running = found->second.running;
    auto client = caf::actor_cast<subscriber_actor>(found->second.client);
    forget(found);
    if (!was_running)
      return;
    self->send(client, turn_refused{errc::internal, ""}); // unless it has heard of the session
    turn_over();
  }

  /// The sessions are not linked: a link is an entry in this actor's list of attachables, which
  /// every monitor and demonitor of it walks. So each way to end passes here.
  void end_sessions() {
    for (auto& each : sessions)
      exit_now(each.second.handle, self->address(), caf::exit_reason::user_shutdown);
  }

  // -- the MCP hub -------------------------------------------------------------------------------

  /// One monitor for all sessions: they would wait for answers of a hub that is gone.
  void watch_tools() {
    auto now = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
    if (!now || now == tools)
      return;
    tools = now;
    self->monitor(tools);
  }

  void on_tools_down(const caf::down_msg& msg) {
    if (!tools || msg.source != tools.address())
      return;
    tools = nullptr;
    for (auto& each : sessions)
      if (each.second.running)
        self->send(each.second.handle, atom::restart_v);
  }

  // -- shutdown ----------------------------------------------------------------------------------

  caf::result<atom::done> on_drain(caf::timespan limit) {
    auto begun = std::exchange(draining, true);
    if (running == 0)
      return atom::done_v;
    if (!begun) {
      drain_limit = now() + limit;
      self->delayed_send(self, limit, atom::expire_v);
    }
    drained.push_back(self->make_response_promise<atom::done>());
    return drained.back();
  }

  void all_drained() {
    for (auto& each : std::exchange(drained, {}))
      each.deliver(atom::done_v);
  }

  void on_timer() {
    end_idle();
    if (draining && running > 0 && drain_limit <= now())
      on_drain_limit();
  }

  void on_drain_limit() {
    if (std::exchange(aborting, true))
      return all_drained();
    for (auto& each : sessions)
      if (each.second.running)
        self->send<caf::message_priority::high>(each.second.handle,
                                                abort_turn{each.first, "", "shutdown"});
    drain_limit = now() + abort_grace;
    self->delayed_send(self, abort_grace, atom::expire_v);
  }

  clock::time_point now() const { return self->clock().now(); }

  session_hub_actor::pointer self;
  session_hub_config config;
  sessions_map sessions;
  std::unordered_map<caf::actor_addr, std::string> by_address;
  std::list<std::string> idle; ///< ids of sessions without a turn, the longest idle first
  mcp_hub_actor tools;
  uint64_t running = 0;
  uint64_t turns = 0;
  bool draining = false;
  bool aborting = false;
  bool watching_idle = false;
  clock::time_point drain_limit;
  std::vector<caf::typed_response_promise<atom::done>> drained;
};

session_hub_actor::behavior_type
session_hub(session_hub_actor::stateful_pointer<session_hub_state> self,
            session_hub_config config) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) {
    if (msg.reason == caf::exit_reason::normal)
      return;
    state.end_sessions();
    state.self->quit(msg.reason);
  });
  self->set_exception_handler([&state](caf::scheduled_actor*, std::exception_ptr& thrown) {
    state.end_sessions();
    return error_of(thrown);
  });
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg); });
  state.config = std::move(config);
  return state.make_behavior();
}

} // namespace

session_hub_actor spawn_session_hub(caf::local_actor& parent, session_hub_config config) {
  return parent.spawn<caf::linked>(session_hub, std::move(config));
}

} // namespace troupe

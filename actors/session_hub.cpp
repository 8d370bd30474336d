#include "actors/session_hub.hpp"

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/urgent.hpp"

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
        [this](atom::expire) { on_drain_limit(); },
    };
  }

  struct entry {
    session_actor handle;
    bool running = false;
    std::list<std::string>::iterator place; ///< in `idle`, unless running
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
    auto oldest = sessions.find(idle.front());
    self->send(oldest->second.handle, atom::expire_v);
    forget(oldest);
    return true;
  }

  using sessions_map = std::unordered_map<std::string, entry>;

  sessions_map::iterator add(const std::string& id) {
    auto handle = spawn_session(self, id, config.session);
    by_address.emplace(handle.address(), id);
    idle.push_back(id);
    return sessions.emplace(id, entry{std::move(handle), false, std::prev(idle.end())}).first;
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
    idle.push_back(id);
    found->second.place = std::prev(idle.end());
    turn_over();
  }

  void turn_over() {
    if (--running == 0 && draining)
      drained.deliver(atom::done_v);
  }

  void on_down(const caf::down_msg& msg) {
    auto known = by_address.find(msg.source);
    if (known == by_address.end())
      return on_tools_down(msg);
    auto found = sessions.find(known->second);
    auto was_running = found->second.running;
    forget(found);
    if (was_running)
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
    draining = true;
    if (running == 0)
      return atom::done_v;
    drained = self->make_response_promise<atom::done>();
    self->delayed_send(self, limit, atom::expire_v);
    return drained;
  }

  void on_drain_limit() {
    if (running == 0)
      return;
    if (std::exchange(aborting, true)) {
      drained.deliver(atom::done_v);
      return;
    }
    for (auto& each : sessions)
      if (each.second.running)
        self->send<caf::message_priority::high>(each.second.handle,
                                                abort_turn{each.first, "", "shutdown"});
    self->delayed_send(self, abort_grace, atom::expire_v);
  }

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
  caf::typed_response_promise<atom::done> drained;
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

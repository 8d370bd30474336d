// The state of the session hub; its member functions are in session_hub.cpp (turns and the sessions
// they need) and session_hub_end.cpp (idle sessions, crashes, shutdown). For these only.
#pragma once

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include <caf/all.hpp>

#include "actors/session_hub.hpp"
#include "actors/waiting_turns.hpp"
#include "messages/mcp_interfaces.hpp"

namespace troupe {

struct session_hub_state {
  static inline const char* name = "troupe.session_hub";

  using clock = std::chrono::steady_clock;

  struct entry {
    session_actor handle;
    bool running = false;
    bool ephemeral = false;                 ///< the running turn is its last
    std::list<std::string>::iterator place; ///< in `idle`, unless running
    clock::time_point idle_since;           ///< unless running
    caf::strong_actor_ptr client;           ///< of the running turn
  };

  using sessions_map = std::unordered_map<std::string, entry>;

  explicit session_hub_state(session_hub_actor::pointer ptr) : self{ptr} {}
  session_hub_actor::behavior_type make_behavior();

  // -- turns

  void on_start(start_turn& ask);
  void run(entry& where, const subscriber_actor& client, start_turn& ask);
  void refuse(errc error); ///< the sender
  void refuse(const subscriber_actor& client, errc error);
  void on_watch(const watch_turn& ask);
  void on_ended(const std::string& id);
  void turn_over(const std::string& id);
  template <class Message>
  void pass_on(const std::string& id, const Message& message);

  // -- turns of a chat that is still answering

  void on_busy(const entry& where, subscriber_actor client, start_turn& ask);
  void replace(const entry& where, const std::string& id);
  void run_next(const std::string& id);
  void on_abort(const abort_turn& ask);
  void refuse_waiting();

  // -- sessions

  sessions_map::iterator find_or_add(const std::string& id); ///< end() when there are too many
  bool make_room();
  void expire(sessions_map::iterator which);
  void forget(sessions_map::iterator gone);
  void end_sessions();

  // -- idle sessions

  void watch_idle();
  clock::time_point due(const std::string& id);
  void end_idle();

  // -- crashes, also of the MCP hub

  void on_down(const caf::down_msg& msg);
  void watch_tools();
  void on_tools_down(const caf::down_msg& msg);

  // -- shutdown

  caf::result<atom::done> on_drain(caf::timespan limit);
  void all_drained();
  void on_timer();
  void on_drain_limit();

  clock::time_point now() const { return self->clock().now(); }

  session_hub_actor::pointer self;
  session_hub_config config;
  sessions_map sessions;
  std::unordered_map<caf::actor_addr, std::string> by_address;
  waiting_turns waiting;
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

} // namespace troupe

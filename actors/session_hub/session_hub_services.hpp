// The store and the MCP hub, as far as the sessions of a session hub need them.
#pragma once

#include <chrono>

#include <caf/actor_addr.hpp>
#include <caf/system_messages.hpp>

#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/interfaces/store_interfaces.hpp"
#include "messages/store/store_status.hpp"

namespace troupe {

struct session_hub_state;

/// The part of a session hub's state that watches the store and the MCP hub for all sessions. The
/// state owns it. There is one monitor for each and one question to the store at a time:
///
///     unknown --found--> known --5 s--> asked --status--> known
///        ^                 |              |'--silent for 30 s: sessions are told--> asked
///        '------DOWN: sessions are told---'
///
/// The store is looked for, and asked, only while a session may wait for it.
class session_hub_services {
public:
  explicit session_hub_services(session_hub_state& hub) : hub_{hub} {}

  void watch_tools(); ///< a turn begins
  void watch_store(); ///< a session may wait for the store from now on

  /// Tells sessions that the store will not answer what they asked; or, without an error, that what
  /// is unsaved can be saved now.
  /// @param also_idle tells idle sessions, too: their last save may be under way
  void tell_sessions(const failure& why, bool also_idle);

  void on_down(const caf::down_msg& msg);
  void on_timer();

private:
  using clock = std::chrono::steady_clock;
  static constexpr auto never = clock::time_point::max();

  void on_tools_down();
  void on_store_down();
  bool needs_store() const;
  void find_store();
  void look_at_store();
  void on_store_status(const store_status& status);

  session_hub_state& hub_;
  mcp_hub_for_callers tools_;
  conversation_store_actor store_;
  caf::actor_addr lost_store_;            ///< the store before, until there is another one
  bool store_asked_ = false;              ///< and it has not answered yet
  clock::time_point asked_at_;            ///< the last question
  clock::time_point store_alarm_ = never; ///< when a timer comes for it
};

} // namespace troupe

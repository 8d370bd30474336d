// The state of the session hub: session_hub.cpp (turns and the sessions they need), _lifetime.cpp
// (how sessions end), _news.cpp (what they tell), _cluster.cpp; parts that are classes are below.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/make_message.hpp> // caf/result.hpp forgets it
#include <caf/response_promise.hpp>
#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "actors/session_hub/conversation_digest.hpp"
#include "actors/session_hub/idle_sessions.hpp"
#include "actors/session_hub/round_cache.hpp"
#include "actors/session_hub/session_hub.hpp"
#include "actors/session_hub/session_hub_places.hpp"
#include "actors/session_hub/session_hub_services.hpp"
#include "actors/session_hub/session_hub_shutdown.hpp"
#include "actors/session_hub/waiting_turns.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// How long a turn may take to send its last events after it was aborted because its chat was
/// deleted, or at shutdown. At shutdown the hub waits as long for unsaved changes.
inline constexpr std::chrono::seconds abort_grace{2};

/// Where a session is, as far as its hub knows.
///
///     idle --start--> running --turn_ended--> idle
///      |                 |  '--turn_ended, unsaved--> unsaved --chat_saved--> idle
///      |                 |                               '--start--> running
///      '--> ending <-----'   until its DOWN, or until it says that something is unsaved
enum class session_phase : uint8_t { idle, running, unsaved, ending };

/// One session, from its spawn to its DOWN.
struct session_entry {
  session_actor handle;
  session_phase phase = session_phase::idle;
  bool stale = false;           ///< the next turn needs a new session: it ends as soon as it can
  bool deleted = false;         ///< ends at once, whatever is unsaved
  idle_sessions::place place;   ///< when idle
  caf::strong_actor_ptr client; ///< of the running turn
  std::string turn_id;          ///< of the running turn; may be empty
  conversation_digest asked{};  ///< of what the client sent for the running turn, if it keeps it
};

/// Counts the running turns of owners. The session hub's state owns it. Not thread safe.
class turns_of_owners {
public:
  /// Returns how many the owner has with this one.
  uint64_t add(std::string_view owner) {
    if (auto known = running_.find(owner); known != running_.end())
      return ++known->second;
    return running_.emplace(owner, 1).first->second;
  }

  void remove(std::string_view owner) {
    if (auto known = running_.find(owner); --known->second == 0)
      running_.erase(known);
  }

  uint64_t of(std::string_view owner) const {
    const auto known = running_.find(owner);
    return known == running_.end() ? 0 : known->second;
  }

private:
  std::map<std::string, uint64_t, std::less<>> running_; ///< none is 0
};

/// State and handlers of a session hub. Owned by its actor; lives on the actor's thread.
struct session_hub_state {
  static inline const char* name = "troupe.session_hub";
  using clock = std::chrono::steady_clock;
  using sessions_map = std::unordered_map<std::string, session_entry>;
  using end_answer = caf::typed_response_promise<failure>;
  static constexpr auto never = clock::time_point::max();

  explicit session_hub_state(session_hub_actor::pointer ptr) : self{ptr} {}
  session_hub_actor::behavior_type make_behavior();

  // -- turns
  void on_start(start_turn& ask);
  void begin(const subscriber_actor& client, start_turn& ask, bool has_place);
  bool admits(const turn_request& request) const;
  void run(session_entry& where, const subscriber_actor& client, start_turn& ask);
  void refuse(const subscriber_actor& client, errc error);
  sessions_map::iterator sender_of(const std::string& id);
  void on_ended(const turn_ended& ended);
  void on_rounds(unseen_rounds& rounds);
  void on_saved(const chat_saved& saved);
  void on_expire_refused(const expire_refused& refused);
  void turn_may_begin(const std::string& id);
  void turn_over(const std::string& id);
  template <class Message>
  void pass_on(const std::string& id, const Message& message);

  // -- turns that wait
  void on_busy(const session_entry& where, subscriber_actor client, start_turn& ask);
  void replace_if_next_aborts(const std::string& id);
  void run_next(const std::string& id);
  void on_abort(const abort_turn& ask);
  void refuse_waiting(errc error);

  // -- viewers
  void on_watch(const watch_turn& ask);
  void wake(const watch_turn& ask, caf::response_promise viewer);
  void wake_held(const std::string& id);

  // -- sessions
  sessions_map::iterator find_or_add(const std::string& id, bool woken = false); ///< or end()
  size_t living() const noexcept { return sessions.size() - ending; }
  bool make_room();
  void settle(sessions_map::iterator which, bool unsaved);
  void expire(sessions_map::iterator which);
  void kill(sessions_map::iterator which);
  void leave_phase(session_entry& where); ///< before it enters another one
  void forget(sessions_map::iterator gone);
  void end_all(); ///< when the hub ends
  caf::result<failure> on_end_session(const end_session& ask);
  void delete_session(sessions_map::iterator which);
  bool answer_ends(const std::string& id, const failure& with);
  void end_overdue();
  void watch_idle();
  void end_idle();
  void tidy_rounds();

  // -- a cluster
  errc unready() const; ///< errc::none: turns may begin
  bool is_cut_off() const;
  void on_node_lost(uint64_t incarnation);
  busy_chats busy_of(const find_busy_chats& ask) const;

  // -- timers, crashes
  void on_timer();
  void on_down(const caf::down_msg& msg);
  void on_session_down(sessions_map::iterator gone, const caf::error& reason);
  void report_crashed_turn(const std::string& id, const session_entry& of);
  clock::time_point now() const { return self->clock().now(); }

  session_hub_actor::pointer self;
  session_hub_config config;
  sessions_map sessions;
  std::unordered_map<caf::actor_addr, const std::string*> by_address; ///< keys of `sessions`
  waiting_turns waiting;
  round_cache rounds;
  idle_sessions idle;
  std::vector<std::pair<watch_turn, caf::response_promise>> held; ///< until the old session ends
  std::unordered_map<std::string, std::vector<end_answer>> ends;
  std::vector<std::pair<clock::time_point, caf::actor_addr>> overdue; ///< when deleted ones end
  turns_of_owners running;
  subscriber_actor handing;             ///< its turn waits no more and has no session yet
  uint64_t turns = 0;                   ///< turns that began; config.turns has those that run
  size_t unsaved = 0, ending = 0;       ///< sessions in these phases
  clock::time_point idle_alarm = never; ///< when the next timer for idle sessions comes
  session_hub_services services{*this};
  session_hub_shutdown shutdown{*this};
  session_hub_places places{*this};
};

} // namespace troupe

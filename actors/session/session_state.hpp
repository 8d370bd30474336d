// The state of a session, for it and its parts session_calls, turn_preparation, turn_viewers and
// chat_persistence. Its functions are in session.cpp (a turn's life), session_history.cpp (what a
// request brings), session_model.cpp (the model's answers) and session_persistence.cpp (the store).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/session/chat_persistence.hpp"
#include "actors/session/loading_turn.hpp"
#include "actors/session/session.hpp"
#include "actors/session/session_calls.hpp"
#include "actors/session/turn_preparation.hpp"
#include "actors/session/turn_viewers.hpp"
#include "actors/turn/approval_book.hpp"
#include "actors/turn/turn.hpp"
#include "messages/chat/viewer_messages.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/store/chat_file_messages.hpp"

namespace troupe {

/// A turn that begins once more if its chat turns out to be another one than the session has.
struct unclaimed_turn {
  start_turn ask;
  subscriber_actor client; ///< empty: it has left
};

/// Plain data with the few rules about it. Not thread safe; lives in a session_state.
struct waiting_clients {
  /// One who wants to see the turn.
  struct viewer {
    subscriber_actor who;
    watch_turn ask;
  };

  subscriber_actor owner; ///< of the turn that waits; empty: it has left
  std::vector<viewer> viewers;
  std::unique_ptr<unclaimed_turn> unclaimed; ///< of the turn that runs; nullptr: it begins for good

  bool is_owner(const caf::actor_addr& who) const { return owner && owner == who; }

  /// Takes credit that comes early. @param turn that waits; nullptr: none does
  void grant(const caf::actor_addr& who, uint32_t events, loading_turn* turn) {
    if (turn != nullptr && is_owner(who))
      turn->ask.credit += events;
    for (auto& each : viewers)
      if (each.who == who)
        each.ask.credit += events;
  }

  /// Forgets a client that has left. Returns whether it was the owner.
  bool remove(const caf::actor_addr& who) {
    std::erase_if(viewers, [&](const auto& each) { return each.who == who; });
    if (!is_owner(who))
      return false;
    owner = nullptr;
    return true;
  }
};

/// The turn of a session.
struct running_turn : turn {
  using turn::turn;

  std::vector<file_content> files; ///< uploaded ones that the history names; each request has them
  size_t begins = 0;               ///< messages of the history before the first one of the turn
};

/// State and handlers of a session. Idle sessions are many: with CAF's own part one just fits into
/// the 2048 bytes that the allocator gives it.
struct session_state {
  static inline const char* name = "troupe.session";

  explicit session_state(handover_session_actor::pointer ptr) : self{ptr} {}
  handover_session_actor::behavior_type make_behavior();

  // -- a turn begins
  void on_start(start_turn& ask);
  void accept(start_turn& ask, const subscriber_actor& client,
              const loading_turn* loaded = nullptr);
  void refuse(const subscriber_actor& client, errc error, std::string text);
  void choose_defaults(turn_request& request) const;
  void begin(start_turn& ask, const subscriber_actor& client, const loading_turn* loaded);
  failure request_fault(const turn_request& request) const;
  failure continuation_fault(const turn_request& request) const;
  std::vector<planned_call> take_messages(turn_request& request);
  size_t cut(const std::string& message_id);
  std::string_view missing_result() const;
  size_t replace_history(turn_request& request);
  std::vector<planned_call> resume_calls(const turn_request& request);

  // -- it continues
  void on_credit(const grant_credit& more);
  void on_watch(const watch_turn& ask);
  void on_leave(const leave_turn& leaving);
  void on_viewer_gone(const caf::actor_addr& who);
  void on_abort(const abort_turn& ask);
  void on_hub_restart();
  void show(const subscriber_actor& client, const watch_turn& ask);
  void advance(); ///< does what the turn wants done, and lets events out; see the README
  void take_events();
  void do_work();
  turn::time_point now() const;

  // -- the model
  void start_model();
  http_request request_to(const model_config& asked, bool without_sealed_reasoning = false) const;
  void on_fallback(const fallback_due& due);
  void on_model(model_output& output);
  void control_flow();
  void stop_stream();

  // -- what is kept of it
  void load();
  void on_record(chat_record& record);
  void go_on(loading_turn& start, const subscriber_actor& client);
  void take_record(chat_record& record);
  void refuse_waiting(const failure& why);
  void leave_early(const caf::actor_addr& who);
  void note_changes();
  bool waits() const { return persistence.holds(history.size()); }
  void save();
  void on_saved(const save_answer& answer);
  void on_store(const failure& why);
  void on_node_lost(uint64_t incarnation);
  void on_unsaved(const failure& why);
  void on_other_chat(const failure& why);
  void on_refused(const failure& why);
  void fail_turn(const failure& why);
  void forget_chat();
  void tell_saved();

  // -- it ends
  void tell_over();
  void tell_rounds(); ///< those of an ephemeral turn
  void end_turn();
  void on_exit(const caf::exit_msg& msg);
  bool report_lost_turn();
  caf::error on_crash(const std::exception_ptr& thrown);
  void on_expire();

  // Members that each token touches come first: among thousands of chats none is in a cache then.
  handover_session_actor::pointer self;
  std::unique_ptr<running_turn> current; ///< while one runs: it is large, and few are at once
  model_stream_actor stream;
  std::shared_ptr<const chat_settings> config;
  uint32_t model_requests = 0; ///< so far
  bool paused = false;
  bool has_extras = false; ///< whether anything is attached in the history
  session_calls calls{*this};
  turn_viewers viewers{self};
  chat_persistence persistence;

  session_hub_actor hub;
  std::string session_id;
  std::vector<chat_message> history;
  waiting_clients waiting;     ///< until the chat is loaded
  std::string last_message_id; ///< of the assistant's message that a turn can go on with
  approval_book approvals;     ///< asked for by the turn before
  turn_preparation preparation{*this};
  std::map<std::string, model_config>::const_iterator model;
};

} // namespace troupe

// The state of a session; its member functions are in session.cpp (a turn's life),
// session_history.cpp (what a request brings), session_model.cpp (the model's answers),
// session_tools.cpp (tools, prompts, attachments) and session_calls.cpp (calls). For these only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/all.hpp>

#include "actors/approval_book.hpp"
#include "actors/client_tools.hpp"
#include "actors/mcp_alarm.hpp"
#include "actors/session.hpp"
#include "actors/tool_names.hpp"
#include "actors/turn_viewers.hpp"
#include "messages/mcp_interfaces.hpp"

namespace troupe {

struct session_state {
  static inline const char* name = "troupe.session";

  /// A result that is being written to a file.
  struct spilling {
    std::string turn_id;
    tool_outcome outcome; ///< without its text
    std::string head;
    size_t size = 0; ///< of the text, bytes
  };

  explicit session_state(session_actor::pointer ptr) : self{ptr} {}
  session_actor::behavior_type make_behavior();

  // -- a turn begins

  void on_start(start_turn& ask);
  void refuse(const subscriber_actor& client, errc error, std::string text);
  std::string unknown_model_text(const std::string& asked) const;
  void begin(start_turn& ask);
  failure continuation_fault(const turn_request& request) const;
  void take_messages(turn_request& request);
  void resume_calls(const turn_request& request);

  // -- it goes on

  void on_credit(const grant_credit& more);
  void on_watch(const watch_turn& ask);
  void on_leave(const leave_turn& leaving);
  void on_viewer_gone(const caf::actor_addr& who);
  void on_abort(const abort_turn& ask);
  void advance(); ///< does what the turn wants done, and lets events out

  // -- the model

  void start_model();
  void on_model(model_output& output);
  void control_flow();
  void stop_stream();

  // -- tools

  void ask_for_tools();
  void list_all_tools();
  void tools_ready(const frozen<tool_set>& tools);
  void ask_for_prompt();
  void on_prompt(const std::string& turn_id, const mcp_answer& got);
  void on_tools(const tool_snapshot& tools);
  void ask_for_attachments(const frozen<tool_set>& tools);
  void on_attachments(const std::string& turn_id, const frozen<tool_set>& tools,
                      attachment_list got);
  turn::time_point now() const;
  void run_calls();
  void start_call(call_tool& call);
  void cancel_calls(const std::string& reason);
  void cancel(const std::vector<std::string>& ids, const std::string& reason);
  void on_progress(const tool_progress& report);
  void on_client_ask(const client_ask& ask);
  void on_outcome(tool_outcome& outcome);
  bool runs(const std::string& tool_call_id) const;
  void spill(const tool_output_store_actor& store, tool_outcome& outcome);
  void on_spilled(spilling& what, const std::string& path);
  void on_approvals(const answer_approvals& answers);
  void on_tick();
  void on_hub_restart();

  // -- it ends

  void end_at_log_limit();
  void end_turn();
  void on_exit(const caf::exit_msg& msg);
  void on_expire();

  session_actor::pointer self;
  session_hub_actor hub;
  std::string session_id;
  std::shared_ptr<const session_config> config;
  std::vector<chat_message> history;
  std::string last_message_id;       ///< of the assistant's message that a turn can go on with
  approval_book approvals;           ///< asked for by the turn before
  std::vector<planned_call> resumed; ///< with them the next turn begins
  client_tools own_tools;
  mcp_alarm alarm;         ///< for the deadlines of calls and approvals
  bool prompting = false;  ///< the turn waits for a prompt
  bool attaching = false;  ///< the turn waits for the resource store
  bool has_extras = false; ///< whether anything is attached in the history
  tool_names names;
  std::optional<turn> current;
  std::map<std::string, model_config>::const_iterator model;
  model_stream_actor stream;
  turn_viewers viewers{self};
  bool paused = false;
};

} // namespace troupe

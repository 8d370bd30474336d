// What a session does; what it knows is in session_data.hpp. The member functions are in
// session.cpp (a turn's life), session_history.cpp (what a request brings), session_model.cpp (the
// model's answers), session_tools.cpp (tools, prompts, attachments), session_calls.cpp (calls),
// session_persistence.cpp (what is kept). For these only.
#pragma once

#include <string>
#include <vector>

#include "actors/session/session_data.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"

namespace troupe {

struct session_state : session_data {
  static inline const char* name = "troupe.session";

  explicit session_state(handover_session_actor::pointer ptr) : session_data{ptr} {}
  handover_session_actor::behavior_type make_behavior();

  // -- a turn begins

  void on_start(start_turn& ask);
  void accept(start_turn& ask, const subscriber_actor& client,
              const loading_turn* loaded = nullptr);
  void refuse(const subscriber_actor& client, errc error, std::string text);
  std::string unknown_model_text(const std::string& asked) const;
  void choose_defaults(turn_request& request) const;
  void begin(start_turn& ask, const subscriber_actor& client, const loading_turn* loaded);
  failure request_fault(const turn_request& request) const;
  failure continuation_fault(const turn_request& request) const;
  failure cut_fault(const turn_request& request) const;
  void take_messages(turn_request& request);
  size_t cut(const std::string& message_id);
  std::string_view missing_result() const;
  size_t replace_history(turn_request& request);
  void resume_calls(const turn_request& request);

  // -- it goes on

  void on_credit(const grant_credit& more);
  void on_watch(const watch_turn& ask);
  void on_leave(const leave_turn& leaving);
  void on_viewer_gone(const caf::actor_addr& who);
  void on_abort(const abort_turn& ask);
  void show(const subscriber_actor& client, const watch_turn& ask);
  void advance(); ///< does what the turn wants done, and lets events out
  void take_events();
  void do_work();

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

  // -- what is kept of it

  void load();
  void on_record(chat_record& record);
  void go_on(loading_turn& start, const subscriber_actor& client);
  void take_record(chat_record& record);
  void refuse_waiting(const failure& why);
  void grant_early(uint32_t events);
  void leave_early(const caf::actor_addr& who);
  void note_changes();
  bool waits() const { return persistence.holds(history.size()); }
  void save();
  void on_saved(const save_answer& answer);
  void on_store(const failure& why);
  void on_unsaved(const failure& why);
  void on_other_chat(const failure& why);
  void fail_turn(const failure& why);
  void forget_chat();
  void tell_saved();

  // -- it ends

  void tell_over();
  void end_turn();
  void on_exit(const caf::exit_msg& msg);
  void on_expire();
};

} // namespace troupe

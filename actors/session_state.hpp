// The state of a session; its member functions are in session.cpp (a turn's life) and
// session_tools.cpp (tools, attachments, calls). For these only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/all.hpp>

#include "actors/outbox.hpp"
#include "actors/session.hpp"
#include "actors/tool_names.hpp"
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
  void take_messages(turn_request& request);

  // -- it goes on

  void on_model(model_output& output);
  void on_credit(uint32_t events);
  void on_abort(const abort_turn& ask);
  void advance(); ///< does what the turn wants done, and lets events out
  void start_model();
  void control_flow();

  // -- tools

  void ask_for_tools();
  void on_tools(const tool_snapshot& tools);
  void ask_for_attachments(const frozen<tool_set>& tools);
  void on_attachments(const std::string& turn_id, const frozen<tool_set>& tools,
                      attachment_list got);
  void start_call(call_tool& call);
  void cancel_calls(const std::string& reason);
  void on_progress(const tool_progress& report);
  void on_client_ask(const client_ask& ask);
  void on_outcome(tool_outcome& outcome);
  void spill(const tool_output_store_actor& store, tool_outcome& outcome);
  void on_spilled(spilling& what, const std::string& path);
  void on_hub_restart();

  // -- it ends

  void stop_stream();
  void end_turn();
  void on_exit(const caf::exit_msg& msg);
  void on_expire();

  session_actor::pointer self;
  session_hub_actor hub;
  std::string session_id;
  std::shared_ptr<const session_config> config;
  std::vector<chat_message> history;
  bool attaching = false;  ///< the turn waits for the resource store
  bool has_extras = false; ///< whether anything is attached in the history
  tool_names names;
  std::optional<turn> current;
  std::map<std::string, model_config>::const_iterator model;
  subscriber_actor subscriber;
  model_stream_actor stream;
  outbox out;
  bool paused = false;
};

} // namespace troupe

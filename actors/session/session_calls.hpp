// The tool calls of a session's turns: their start, their progress, their results, their deadlines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "actors/alarm_clock.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

struct session_state;

/// The part of a session that talks to the mcp_hub about the calls of the running turn. Which calls
/// there are, and in which stage, the turn knows. Not thread safe; lives in a
/// session_state.
class session_calls {
public:
  explicit session_calls(session_state& session) : session_{session} {}

  /// Starts what the turn wants started. Part of session_state::advance().
  void run();

  /// Tells the hub to cancel all calls that run. The caller ends the turn.
  void cancel_all(const std::string& reason);

  /// The hub has crashed: the calls that it ran have failed. The caller advances the turn.
  void on_hub_restart();

  void on_tick();
  void on_progress(const tool_progress& report);
  void on_client_ask(const client_ask& ask);
  void on_outcome(tool_outcome& outcome);
  void on_approvals(const answer_approvals& answers);

private:
  /// A result that is being written to a file.
  struct spilling {
    std::string turn_id;
    tool_outcome outcome; ///< without its text
    std::string head;
    size_t size = 0; ///< of the text, bytes
  };

  void start(call_tool& call);
  void cancel(const std::vector<std::string>& ids, const std::string& reason);
  bool runs(const std::string& tool_call_id) const;
  void spill(const tool_output_store_actor& store, tool_outcome& outcome);
  void on_spilled(spilling& what, const std::string& path);

  session_state& session_;
  alarm_clock alarm_; ///< for the deadlines of calls and approvals
};

} // namespace troupe

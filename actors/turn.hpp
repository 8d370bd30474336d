// The state machine of one turn: what came in becomes events, and things to do. No actor, no I/O.
//
//   begin --> waiting_tools --tools_ready--> streaming --answer without calls--> over
//                                             ^    |--answer with calls--> calling
//                                             '----------all calls ended-----'
//   abort() and fail() lead from every state to over.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/events.hpp"
#include "messages/mcp_messages.hpp"
#include "messages/tool_messages.hpp"
#include "messages/turn_messages.hpp"

namespace troupe {

/// Bounds of one turn.
struct turn_limits {
  uint32_t max_tool_roundtrips = 10; ///< where the request does not say
  size_t max_tool_text_bytes =
      256 * 1024; ///< of one result that the model is told; longer is cut, with a note
};

/// One turn. Not thread safe; lives in its session.
class turn {
public:
  enum class state : uint8_t { waiting_tools, streaming, calling, over };

  /// @param history the session's; the turn appends what the model must see in later rounds and
  /// turns
  turn(turn_request request, turn_limits limits, std::vector<chat_message>& history);

  /// Emits SESSION_START.
  void begin();

  /// The tools are known; the first model request is due.
  void tools_ready(frozen<tool_set> tools);

  /// Takes output of the model request number `output.round`; that of older rounds is dropped.
  void on_model(model_output& output);

  void on_tool_progress(const tool_progress& report);
  void on_tool_outcome(const tool_outcome& outcome);

  /// A server that runs a call of this turn asks its client something.
  void on_client_ask(const client_ask& ask);

  /// Ends the turn with ABORT and SESSION_END. @param reason as in abort_event
  void abort(const std::string& reason);

  /// Ends the turn with SESSION_ERROR.
  void fail(const failure& why);

  /// Returns the events since the last call.
  std::vector<event> take_events() { return std::exchange(events_, {}); }

  /// Returns the calls to start now; each is to be answered by on_tool_outcome.
  std::vector<call_tool> take_calls() { return std::exchange(to_start_, {}); }

  /// Returns once for each round: a model request is to be sent.
  bool take_model_request() { return std::exchange(wants_model_, false); }

  /// Returns the ids of the calls that were started and have no outcome.
  std::vector<std::string> running_calls() const;

  const turn_request& request() const noexcept { return request_; }
  const tool_set& tools() const noexcept { return *tools_; }
  uint32_t round() const noexcept { return round_; }
  state where() const noexcept { return state_; }
  bool over() const noexcept { return state_ == state::over; }

private:
  struct planned_call {
    tool_call call;
    const tool_definition* tool = nullptr; ///< into tools_; nullptr: unknown
    errc error = errc::none;
    std::string result; ///< what the model is told
    bool running = false;
  };
  struct reader; // one overload per event of a model, in turn.cpp

  void next_round();
  void answer_over(const model_output& output);
  void start_calls();
  void announce(const planned_call& planned);
  void end_call(planned_call& planned, errc error, std::string text, const raw_json& result);
  void refuse_calls(errc error, const std::string& text);
  void commit_answer();
  void commit_results();
  void finish(finish_reason reason);
  void close_open(errc error, const std::string& text);
  bool client_runs_tools() const { return max_roundtrips_ == 0; }

  turn_request request_;
  turn_limits limits_;
  std::vector<chat_message>& history_;
  frozen<tool_set> tools_;
  uint32_t max_roundtrips_;
  state state_ = state::waiting_tools;
  uint32_t round_ = 0;
  uint32_t roundtrips_ = 0;
  bool wants_model_ = false;
  chat_message answer_;               ///< of the model, in this round
  std::vector<planned_call> calls_;   ///< of this round, in call order
  std::vector<tool_args_start> open_; ///< calls whose arguments are not complete
  std::vector<event> events_;
  std::vector<call_tool> to_start_;
  usage round_usage_;
  usage total_usage_;
};

} // namespace troupe

// The state machine of one turn: turns inputs into events and work to do. No actor, no I/O.
//   begin --> waiting_tools --tools_ready--> streaming --answer without calls--> over
//                   |                         ^    |--answer with calls--> calling
//                   '--calls that go on--.    '------all calls ended-----'    |
//                                        '--> calling      '--some are the client's--> over
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "actors/turn/open_request.hpp"
#include "actors/turn/silent_steps.hpp"
#include "actors/turn/turn_answer.hpp"
#include "actors/turn/turn_budget.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// One turn. Not thread safe; lives in its session.
class turn {
public:
  using time_point = planned_call::time_point;
  using clock = std::function<time_point()>;
  enum class state : uint8_t { waiting_tools, streaming, calling, over };

  /// @param limits, history outlive the turn, which appends answers and results to the history. It
  /// keeps the rules of providers, except for calls at its end that wait for the client.
  /// @param now says what time it is, when calls start and end
  turn(turn_request request, const turn_limits& limits, std::vector<chat_message>& history,
       clock now);
  turn(turn_request, turn_limits&&, std::vector<chat_message>&, clock) = delete;

  /// Emits SESSION_START. @param resumed calls that go on first; they have results in the history
  void begin(std::vector<planned_call> resumed = {});
  /// Take the tools, which start the resumed calls or the first round; output of its model request.
  void tools_ready(frozen<tool_set> tools);
  void on_model(model_output& output);
  /// Returns the ids of the calls that were started and have no outcome.
  std::vector<std::string> running_calls() const;

  /// Each of these inputs is ignored in a state that does not expect it.
  void on_tool_progress(const tool_progress& report);
  void on_tool_outcome(const tool_outcome& outcome);
  void on_approvals(const std::vector<tool_approval>& answers);
  void on_client_ask(const client_ask& ask);
  /// Returns when the next call or approval is due; time_point::max() if none is.
  time_point next_due() const;
  /// Ends the calls whose time is over. Returns the ids of those that ran, to be cancelled.
  std::vector<std::string> expire();

  /// End the turn from any state: with ABORT (reason as in abort_event), or with SESSION_ERROR.
  void abort(const std::string& reason);
  void fail(const failure& why);

  /// Return what is new: events; calls to start (their time begins now, and each needs an
  /// on_tool_outcome); whether to ask the model; the first message of the history that changed.
  std::vector<event> take_events() { return std::exchange(events_, {}); }
  std::vector<call_tool> take_calls();
  bool take_model_request();
  size_t take_changed();
  std::vector<planned_call> take_asking(); ///< once, at the end: calls that wait for approval
  turn_report take_report();               ///< once, at the end

  const turn_request& request() const noexcept { return request_; }
  const tool_set& tools() const noexcept { return *tools_; }
  uint32_t round() const noexcept { return round_; }
  bool has_results() const noexcept { return report_.roundtrips > 0; } ///< of calls that it ran
  state state_now() const noexcept { return state_; }
  bool over() const noexcept { return state_ == state::over; }
  const failure& error() const noexcept { return error_; } ///< why it has failed

private:
  void next_round();
  void answer_over(model_output& output);
  void commit_answer(std::string metadata, bool goes_on = false);
  void plan_calls();
  void plan(planned_call& planned, uint32_t count);
  void ask(planned_call& planned);
  void start(planned_call& planned);
  void refuse_calls(errc error, const std::string& text);
  void end_call(planned_call& planned, errc error, std::string text, const raw_json& result = {});
  planned_call* find_call(std::string_view id, call_stage stage);
  bool any(call_stage stage) const;
  void settle();
  void commit_results();
  void commit_result(planned_call& ended);
  void finish(finish_reason reason);
  void close_open(errc error, const std::string& text);

  const turn_limits& limits_; // members that each token touches come first, as in session_state
  std::vector<chat_message>& history_;
  frozen<tool_set> tools_;
  uint32_t max_roundtrips_;
  state state_ = state::waiting_tools;
  uint32_t round_ = 0;
  bool wants_model_ = false;
  bool resuming_ = false; ///< calls_ are those of the turn before
  size_t changed_ = SIZE_MAX;
  std::vector<event> events_;
  std::vector<call_tool> to_start_;
  std::vector<planned_call> calls_; ///< of this round, in call order, once the answer is over
  turn_budget budget_;
  turn_answer answer_; ///< of the model, in this round
  open_request asked_; ///< while that is under way
  silent_steps silent_{history_};
  turn_request request_;
  usage round_usage_;
  clock now_;
  time_point began_{};
  turn_report report_;
  failure error_;
};

} // namespace troupe

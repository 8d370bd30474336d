// The state machine of one turn: turns inputs into events and work to do. No actor, no I/O.
//   begin --> waiting_tools --tools_ready--> streaming --answer without calls--> over
//                   |                         ^    |--answer with calls--> calling
//                   '--calls that go on--.    '------all calls ended-----'    |
//                                        '--> calling      '--some are the client's--> over
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "actors/turn/empty_steps.hpp"
#include "actors/turn/open_request.hpp"
#include "actors/turn/turn_answer.hpp"
#include "messages/chat/chat_message.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// Counts what one turn uses. Not thread safe.
class turn_budget {
public:
  /// Bytes that each piece of an answer counts beside its text. A piece is an event: it costs
  /// clients and viewers about as much as a short text, however little text it brings.
  static constexpr size_t piece_bytes = 64;

  /// @param limits outlive this
  explicit turn_budget(const turn_limits& limits) : limits_{limits} {}

  void add_pieces(size_t pieces, size_t text_bytes) noexcept {
    bytes_ += pieces * piece_bytes + text_bytes;
  }

  void add(const usage& used) { total_ += used; }

  const usage& total() const noexcept { return total_; }

  /// Returns whether the model has sent more than it may.
  bool bytes_spent() const noexcept {
    return limits_.max_turn_bytes > 0 && bytes_ > limits_.max_turn_bytes;
  }

  /// Returns why the turn must not go on, or nothing.
  failure spent() const {
    if (bytes_spent())
      return {errc::turn_limit_reached,
              fmt::format("The turn reached its limit of {} bytes of the model's output (each "
                          "piece counts {} more).",
                          limits_.max_turn_bytes, piece_bytes)};
    auto most = limits_.max_turn_tokens;
    if (most > 0 && tokens() > most)
      return {errc::turn_limit_reached,
              fmt::format("The turn reached its limit of {} tokens.", most)};
    return {};
  }

  /// Counts an answer in which the provider paused. Returns whether it may be gone on from: peers
  /// allow six to ten pauses.
  bool takes_pause() noexcept { return pauses_++ < 8; }

  /// Counts a call that is to be run. Returns whether too many earlier rounds of the turn have made
  /// the same call. Those of one round count once: the model saw no result between them.
  bool repeats(const tool_call& call, uint32_t round) {
    if (limits_.max_identical_calls == 0)
      return false;
    auto& made = calls_[call.name + '\n' + call.arguments];
    if (made.rounds == 0 || made.last != round)
      made = {made.rounds + 1, round};
    return made.rounds > limits_.max_identical_calls;
  }

private:
  /// In how many rounds a call was made, and the last of them.
  struct repetition {
    uint32_t rounds = 0;
    uint32_t last = 0;
  };

  /// Returns the total; some providers report only the two parts.
  uint64_t tokens() const noexcept {
    return total_.total_tokens > 0 ? total_.total_tokens
                                   : total_.input_tokens + total_.output_tokens;
  }

  const turn_limits& limits_;
  usage total_;
  size_t bytes_ = 0;
  uint32_t pauses_ = 0;
  std::map<std::string, repetition> calls_; ///< by name and arguments
};

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
  turn_answer answer_;        ///< of the model, in this round
  std::string stop_sequence_; ///< of the client's, which ended it
  open_request asked_;        ///< while that is under way
  empty_steps empty_steps_{history_};
  turn_request request_;
  usage round_usage_;
  clock now_;
  time_point began_{};
  turn_report report_;
  failure error_;
};

} // namespace troupe

// What a turn must never get wrong, checked event by event and message by message.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "actors/turn/history.hpp"
#include "messages/chat/events.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/support/history_rules.hpp"

namespace troupe::test {

/// Reads the events of one turn in order; `problem` is set by the first one that must not be there.
class turn_grammar {
public:
  /// @param resumed calls of the turn before, which this one runs or refuses first
  explicit turn_grammar(const std::vector<std::string>& resumed = {}) {
    for (const auto& each : resumed)
      calls_[each] = call::complete;
  }

  void read(const event& next) {
    if (!problem.empty())
      return;
    if (over_)
      return complain("an event after the terminal one", next);
    if (++seen_ == 1 && !std::holds_alternative<session_start>(next))
      return complain("the first event is not SESSION_START", next);
    if (ending_ && !std::holds_alternative<session_end>(next))
      return complain("only SESSION_END may follow ABORT or MODEL_GENERATION_STOP", next);
    current_ = &next;
    std::visit([this](const auto& e) { on(e); }, next);
  }

  /// Says that the turn is over.
  void finish() {
    if (problem.empty() && !over_)
      problem = "the turn has no terminal event";
  }

  std::string problem;

private:
  enum class call { open, complete, offered, refused, asking, running, ended };

  void complain(const std::string& what, const event& at) {
    problem = fmt::format("event {} ({}): {}", seen_, name_of(at), what);
  }
  void need(bool holds, const char* what) {
    if (!holds && problem.empty())
      complain(what, *current_);
  }
  bool any(call which) const {
    for (const auto& [id, state] : calls_)
      if (state == which)
        return true;
    return false;
  }

  void on(const session_start&) { need(seen_ == 1, "SESSION_START twice"); }

  void on(const model_response_waiting& e) {
    need(e.round == rounds_, "rounds do not count up");
    ++rounds_;
    for (const auto& [id, state] : calls_)
      need(state == call::ended || state == call::refused,
           "a new round before each call has its end");
    calls_.clear();
    reading_ = true;
  }

  void on(const text_delta&) { need(reading_ && !any(call::running), "TEXT outside an answer"); }
  void on(const reasoning_delta&) { need(reading_, "REASONING outside an answer"); }

  void on(const tool_args_start& e) {
    need(reading_, "TOOL_ARGS_START outside an answer");
    need(calls_.emplace(e.tool_call_id, call::open).second, "a call that began twice");
  }
  void on(const tool_args_delta& e) { need(is(e.tool_call_id, call::open), "no such open call"); }

  void on(const tool_args_complete& e) {
    need(is(e.tool_call_id, call::open), "no such open call");
    need(e.error != errc::none || is_json_object(e.arguments.text), "arguments are no object");
    calls_[e.tool_call_id] = !e.client_side          ? call::complete
                             : e.error == errc::none ? call::offered
                                                     : call::refused;
  }

  void on(const mcp_tool_start& e) {
    reading_ = false;
    need(is(e.tool_call_id, call::complete) || is(e.tool_call_id, call::asking),
         "a run of a call that is not complete");
    need(!any(call::open), "a run while arguments are open");
    calls_[e.tool_call_id] = call::running;
  }
  void on(const mcp_tool_progress& e) {
    need(is(e.tool_call_id, call::running), "progress of a call that does not run");
  }
  void on(const tool_approval_request& e) {
    reading_ = false;
    need(is(e.tool_call_id, call::complete), "an approval of a call that is not complete");
    need(!e.approval_id.empty() && is_json_object(e.arguments.text), "an approval of nothing");
    calls_[e.tool_call_id] = call::asking;
  }
  void on(const mcp_client_request& e) {
    need(any(call::running), "a server's request while no call runs");
    need(!e.request_id.empty(), "a server's request that cannot be answered");
  }
  void on(const mcp_tool_success& e) { end(e.tool_call_id); }
  void on(const mcp_tool_error& e) { end(e.tool_call_id); }
  void end(const std::string& id) {
    need(is(id, call::running), "the end of a call that does not run");
    calls_[id] = call::ended;
  }

  void on(const model_generation_stop& e) {
    need(rounds_ > 0, "MODEL_GENERATION_STOP without an answer");
    need(!any(call::open) && !any(call::running), "a part is still open");
    need(!any(call::complete), "a call that nobody takes care of");
    need(e.reason == finish_reason::tool_calls || (!any(call::offered) && !any(call::asking)),
         "the client is not told that it has calls");
    ending_ = true;
  }
  void on(const abort_event&) {
    need(!any(call::open) && !any(call::running) && !any(call::asking), "a part is still open");
    ending_ = true;
  }
  void on(const session_end&) {
    need(ending_, "SESSION_END without ABORT or MODEL_GENERATION_STOP");
    over_ = true;
  }
  void on(const session_error&) {
    need(!any(call::open) && !any(call::running) && !any(call::asking), "a part is still open");
    over_ = true;
  }

  bool is(const std::string& id, call state) const {
    auto found = calls_.find(id);
    return found != calls_.end() && found->second == state;
  }

  const event* current_ = nullptr;
  std::map<std::string, call> calls_; ///< of this round
  size_t seen_ = 0;
  uint32_t rounds_ = 0;
  bool reading_ = false;
  bool ending_ = false;
  bool over_ = false;
};

/// Returns what a strict provider would refuse in `history`, or "".
/// @param client_answers the client is still to answer calls at the end
inline std::string history_problem(std::vector<chat_message> history, bool client_answers) {
  if (client_answers)
    repair_history(history); // as it is when the client does not
  return anthropic_fault(history);
}

} // namespace troupe::test

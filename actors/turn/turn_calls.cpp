// The calls of a turn: limits, approvals, runs, results.
#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/turn/approval_book.hpp"
#include "actors/turn/history.hpp"
#include "actors/turn/tool_output.hpp"
#include "actors/turn/turn.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/ui/ui_tool_output.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/content_files.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// Returns the time `limit` after `now`; zero means never.
turn::time_point due_in(turn::time_point now, milliseconds limit) {
  return limit > milliseconds::zero() ? now + limit : turn::time_point::max();
}

std::string or_nothing(std::string text) {
  return text.empty() ? std::string{no_output_text} : std::move(text);
}

/// Most bytes of an output that are kept beside the text that the model is told.
constexpr size_t max_shown_output_bytes = size_t{1} * 1024 * 1024;

/// Notes the output as the client is shown it. @param result JSON text, was checked
void show_output(planned_call& ended, std::string_view result) {
  const auto source = json_source::unchecked(result);
  auto shown = shown_output(source.root(), ended.result, ended.files);
  if (shown && shown->value.size() <= max_shown_output_bytes)
    ended.shown.push_back(std::move(*shown));
}

} // namespace

bool turn::any(call_stage stage) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [&](const auto& each) { return each.stage == stage; });
}

planned_call* turn::find_call(std::string_view id, call_stage stage) {
  auto found = std::find_if(calls_.begin(), calls_.end(), [&](const auto& each) {
    return each.stage == stage && each.call.id == id;
  });
  return state_ == state::calling && found != calls_.end() ? &*found : nullptr;
}

std::vector<std::string> turn::running_calls() const {
  std::vector<std::string> ids;
  for (const auto& each : calls_)
    if (each.stage == call_stage::running)
      ids.push_back(each.call.id);
  return ids;
}

// -- a round of calls begins ---------------------------------------------------------------------

void turn::plan_calls() {
  ++report_.roundtrips;
  uint32_t count = 0;
  for (auto& each : calls_)
    if (each.stage == call_stage::planned)
      plan(each, ++count);
  settle();
}

/// Starts, refuses or asks about a call. @param count its place in the round, from 1
void turn::plan(planned_call& planned, uint32_t count) {
  const auto& options = request_.options;
  if (planned.error != errc::none)
    return end_call(planned, planned.error, {});
  if (limits_.max_calls_per_round > 0 && count > limits_.max_calls_per_round)
    return end_call(planned, errc::too_many_tool_calls,
                    fmt::format("The call was not run: at most {} calls are run at once.",
                                limits_.max_calls_per_round));
  if (budget_.repeats(planned.call, round_))
    return end_call(planned, errc::tool_calls_repeated,
                    fmt::format("The call was not run: the same call was made {} times before in "
                                "this turn; its result will not change.",
                                limits_.max_identical_calls));
  if (options.approve_all || (options.approve_unless_read_only && !planned.read_only) ||
      needs_approval(limits_.approval, planned))
    return ask(planned);
  start(planned);
}

void turn::ask(planned_call& planned) {
  auto limit = limits_.approval.timeout;
  planned.stage = call_stage::asking;
  planned.approval_id = make_id("appr_");
  planned.due = due_in(now_(), limit);
  events_.emplace_back(tool_approval_request{planned.approval_id,
                                             planned.call.id,
                                             planned.call.name,
                                             {planned.call.arguments},
                                             static_cast<uint64_t>(limit.count())});
}

void turn::start(planned_call& planned) {
  const auto& options = request_.options;
  planned.stage = call_stage::running;
  planned.started = now_();
  planned.due = due_in(now_(), limits_.tool_timeout);
  events_.emplace_back(mcp_tool_start{planned.call.id, planned.call.name, planned.server});
  to_start_.push_back({planned.call.id, planned.server, planned.server_tool, planned.call.arguments,
                       request_.session_id, options.client_requests, false, options.traceparent});
}

std::vector<call_tool> turn::take_calls() {
  for (const auto& each : to_start_)
    if (auto* call = find_call(each.tool_call_id, call_stage::running)) {
      call->started = now_();
      call->due = due_in(now_(), limits_.tool_timeout);
    }
  return std::exchange(to_start_, {});
}

// -- a round of calls goes on --------------------------------------------------------------------

void turn::on_tool_progress(const tool_progress& report) {
  if (find_call(report.tool_call_id, call_stage::running))
    events_.emplace_back(
        mcp_tool_progress{report.tool_call_id, report.progress, report.total, report.message});
}

void turn::on_client_ask(const client_ask& ask) {
  if (state_ == state::calling && any(call_stage::running)) // else its call was cancelled
    events_.emplace_back(
        mcp_client_request{ask.request_id, ask.server, ask.method, ask.params, ask.timeout_ms});
}

void turn::on_tool_outcome(const tool_outcome& outcome) {
  auto* found = find_call(outcome.tool_call_id, call_stage::running);
  if (!found)
    return;
  found->files = mcp::files_of_result(outcome.result.text);
  end_call(*found, outcome.error, outcome.text, outcome.result);
  settle();
}

void turn::on_approvals(const std::vector<tool_approval>& answers) {
  bool any_known = false;
  for (const auto& answer : answers) {
    auto asked = std::find_if(calls_.begin(), calls_.end(), [&](const auto& each) {
      return each.stage == call_stage::asking && each.approval_id == answer.approval_id;
    });
    if (state_ != state::calling || asked == calls_.end())
      continue;
    any_known = true;
    asked->shown.push_back(shown_approval(answer));
    if (answer.approved) {
      start(*asked);
      continue;
    }
    deny(*asked, answer.reason);
    end_call(*asked, asked->error, {});
  }
  if (any_known)
    settle();
}

turn::time_point turn::next_due() const {
  auto next = time_point::max();
  for (const auto& each : calls_)
    if (each.stage == call_stage::running || each.stage == call_stage::asking)
      next = std::min(next, each.due);
  return next;
}

std::vector<std::string> turn::expire() {
  std::vector<std::string> cancelled;
  bool any_denied = false;
  for (auto& each : calls_) {
    if (each.due > now_() || state_ != state::calling)
      continue;
    if (each.stage == call_stage::running) {
      cancelled.push_back(each.call.id);
      end_call(each, errc::tool_timeout,
               fmt::format("The tool did not answer within {} ms.", limits_.tool_timeout.count()));
    } else if (each.stage == call_stage::asking) {
      any_denied = true;
      each.shown.push_back(shown_approval({each.approval_id, false, {}}));
      deny(each, "Nobody answered in time.");
      end_call(each, each.error, {});
    }
  }
  if (any_denied || !cancelled.empty())
    settle();
  return cancelled;
}

// -- results -------------------------------------------------------------------------------------

/// Ends a call with its events. A call that was denied, or shown with an error, keeps that error.
void turn::end_call(planned_call& planned, errc error, std::string text, const raw_json& result) {
  auto before = std::exchange(planned.stage, call_stage::ended);
  if (planned.error == errc::none) {
    planned.error = error;
    planned.result = std::move(text);
  }
  planned.result =
      or_nothing(bounded_output(std::move(planned.result), limits_.max_tool_text_bytes));
  if (planned.error == errc::none)
    show_output(planned, result.text);
  if (before == call_stage::offered)
    return; // the client was to run it: no run was announced
  const auto& id = planned.call.id;
  const auto& name = planned.call.name;
  std::erase_if(to_start_, [&](const auto& each) { return each.tool_call_id == id; });
  if (before == call_stage::running)
    report_.tools.push_back(
        {planned.server, planned.server_tool,
         std::chrono::duration_cast<std::chrono::microseconds>(now_() - planned.started).count(),
         planned.error});
  else
    events_.emplace_back(mcp_tool_start{id, name, planned.server});
  if (planned.error == errc::none)
    events_.emplace_back(mcp_tool_success{id, name, planned.server, result, planned.result});
  else
    events_.emplace_back(mcp_tool_error{id, name, planned.server, planned.error, planned.result});
}

void turn::refuse_calls(errc error, const std::string& text) {
  for (auto& each : calls_)
    if (each.stage == call_stage::planned)
      end_call(each, error, text);
  commit_results();
}

/// Begins the next round, or ends the turn, once no call of this round is under way.
void turn::settle() {
  auto asks = any(call_stage::asking);
  if (any(call_stage::running) || (asks && !request_.options.approval_ends_turn))
    return;
  commit_results();
  if (asks) // only now: a running turn takes the approvals itself
    changed_ = std::min(changed_, note_approvals(history_, calls_, now_()));
  if (asks || any(call_stage::offered))
    return finish(finish_reason::tool_calls);
  if (!std::exchange(resuming_, false))
    ++round_;
  next_round();
}

/// Puts the results into the history, in call order. Calls that wait for the client get none.
void turn::commit_results() {
  for (auto& each : calls_)
    if (each.stage == call_stage::ended && (resuming_ || !each.is_none()))
      commit_result(each);
}

void turn::commit_result(planned_call& ended) {
  chat_message result;
  result.who = role::tool;
  result.tool_call_id = ended.call.id;
  result.text = ended.result;
  result.failed = ended.error != errc::none;
  result.files = std::move(ended.files);
  result.id = request_.message_id;
  result.shown = std::move(ended.shown);
  if (ended.error != errc::none && find_shown(result.shown, "input-error") == nullptr)
    result.shown.push_back(make_shown(ended.error == errc::tool_denied ? "denied" : "error"));
  auto known = history_.rend();
  if (resuming_)
    known = std::find_if(history_.rbegin(), history_.rend(), [&](const auto& message) {
      return message.tool_call_id == ended.call.id;
    });
  if (known == history_.rend())
    return history_.push_back(std::move(result));
  changed_ = std::min(changed_, static_cast<size_t>(history_.rend() - known) - 1);
  *known = std::move(result);
}

std::vector<planned_call> turn::take_asking() {
  std::erase_if(calls_, [](const auto& each) { return each.stage != call_stage::asking; });
  return std::exchange(calls_, {});
}

} // namespace troupe

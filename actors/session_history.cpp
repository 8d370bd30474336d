// The history of a session: what a request brings, and where it goes on with the turn before.
#include <algorithm>
#include <iterator>
#include <utility>

#include "actors/history.hpp"
#include "actors/ids.hpp"
#include "actors/message_extras.hpp"
#include "actors/session_state.hpp"

namespace troupe {

namespace {

constexpr auto passed_over_text = "The tool was not run: the user went on without it.";

bool goes_on(const turn_request& request) {
  const auto& messages = request.messages;
  return !request.approvals.empty() || (!messages.empty() && messages.back().who == role::tool);
}

/// Returns whether any of the results at the front of `messages` is of a call of `asked`.
bool any_fits(const std::vector<chat_message>& messages, const chat_message* asked) {
  for (const auto& each : messages) {
    if (each.who != role::tool || asked == nullptr)
      return false;
    const auto& calls = asked->tool_calls;
    if (std::any_of(calls.begin(), calls.end(),
                    [&](const auto& call) { return call.id == each.tool_call_id; }))
      return true;
  }
  return false;
}

/// A client may have changed what was approved; the model is told of what is run.
void restore_calls(std::vector<chat_message>& history, const std::vector<planned_call>& resumed) {
  for (const auto& each : resumed)
    for (auto message = history.rbegin(); message != history.rend(); ++message)
      for (auto& call : message->tool_calls)
        if (call.id == each.call.id && !each.approval_id.empty())
          call = each.call;
}

} // namespace

failure session_state::continuation_fault(const turn_request& request) const {
  const auto& messages = request.messages;
  auto brings_results = !messages.empty() && messages.front().who == role::tool;
  if (request.replaces_history || (!brings_results && request.approvals.empty()) ||
      any_fits(messages, last_calls(history)) || approvals.knows_any(request.approvals))
    return {};
  if (!brings_results)
    return {errc::request_invalid, "No call of this chat waits for an approval with the id '" +
                                       request.approvals.front().approval_id + "'."};
  return {errc::request_invalid, "No call of this chat waits for a result with the id '" +
                                     messages.front().tool_call_id + "'."};
}

void session_state::take_messages(turn_request& request) {
  auto& messages = request.messages;
  auto continues = goes_on(request);
  if (request.message_id.empty())
    request.message_id = continues && !last_message_id.empty() ? last_message_id : make_id("msg_");
  last_message_id = request.message_id;
  if (request.replaces_history) {
    has_extras = has_extras && carry_extras(history, messages);
    carry_answers(history, messages);
    if (!request.approvals.empty())
      carry_results(history, messages);
    history = std::move(messages);
  } else {
    std::move(messages.begin(), messages.end(), std::back_inserter(history));
  }
  messages.clear();
  resume_calls(request);
}

void session_state::resume_calls(const turn_request& request) {
  resumed.clear();
  if (!request.approvals.empty()) {
    resumed = approvals.answered(request.approvals, open_calls(history), now());
    restore_calls(history, resumed);
  }
  repair_history(history, approvals.empty() ? not_run_text : passed_over_text);
  approvals.clear(); // nothing is open any more
}

void session_state::on_approvals(const answer_approvals& answers) {
  if (!current)
    return;
  current->set_now(now());
  current->on_approvals(answers.approvals);
  advance();
}

} // namespace troupe

#include "actors/session/session_calls.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "actors/turn/tool_output.hpp"
#include "messages/ports/inner_errors.hpp"

namespace troupe {

namespace {

/// How long a result waits for the disk; then it is only cut.
constexpr std::chrono::seconds spill_limit{5};

} // namespace

/// Does what the turn wants done with its calls; the alarm is armed only while there are any.
void session_calls::run() {
  for (auto& call : session_.current->take_calls())
    start(call);
  if (auto due = session_.current->next_due(); alarm_.wants(due))
    session_.self->delayed_send(session_.self, due - session_.now(), atom::tick_v);
  if (!session_.current->over())
    return;
  if (auto asking = session_.current->take_asking(); !asking.empty())
    session_.approvals.keep(std::move(asking));
}

void session_calls::start(call_tool& call) {
  if (auto tools = whereis<mcp_hub_for_callers>(session_.self->system(), mcp_hub_name))
    // with the priority of its cancel_call, which must not come first
    session_.self->send<caf::message_priority::high>(tools, std::move(call));
  else
    session_.self->send(session_.self, tool_outcome{call.tool_call_id,
                                                    errc::server_unavailable,
                                                    failure{errc::server_unavailable, ""}.text(),
                                                    {}});
}

void session_calls::cancel_all(const std::string& reason) {
  cancel(session_.current->running_calls(), reason);
}

void session_calls::cancel(const std::vector<std::string>& ids, const std::string& reason) {
  if (ids.empty())
    return;
  auto tools = whereis<mcp_hub_for_callers>(session_.self->system(), mcp_hub_name);
  for (const auto& id : ids)
    if (tools)
      session_.self->send<caf::message_priority::high>(tools, cancel_call{id, reason});
}

void session_calls::on_tick() {
  if (!alarm_.rings(session_.now()) || !session_.current)
    return;
  cancel(session_.current->expire(), "timeout");
  session_.advance();
}

/// A client that reads slowly misses progress, which is the only event without a bound.
void session_calls::on_progress(const tool_progress& report) {
  if (session_.current && !session_.viewers.crowded())
    session_.current->on_tool_progress(report);
  session_.advance();
}

void session_calls::on_client_ask(const client_ask& ask) {
  if (session_.current)
    session_.current->on_client_ask(ask);
  session_.advance();
}

/// Returns whether that call of the turn still runs.
bool session_calls::runs(const std::string& tool_call_id) const {
  auto ids = session_.current->running_calls();
  return std::find(ids.begin(), ids.end(), tool_call_id) != ids.end();
}

void session_calls::on_outcome(tool_outcome& outcome) {
  if (!session_.current)
    return;
  if (outcome.error != errc::none && !session_.config->error_details)
    hide_inner_text(session_.config->log.get(), "tool", session_.session_id, outcome.error,
                    outcome.text);
  if (outcome.text.size() > session_.config->limits.max_tool_text_bytes &&
      runs(outcome.tool_call_id))
    if (auto store =
            whereis<tool_output_store_actor>(session_.self->system(), tool_output_store_name))
      return spill(store, outcome);
  session_.current->on_tool_outcome(outcome);
  session_.advance();
}

/// The call counts as running until its text is on disk.
void session_calls::spill(const tool_output_store_actor& store, tool_outcome& outcome) {
  auto text = std::exchange(outcome.text, {});
  auto what = std::make_shared<spilling>();
  what->turn_id = session_.current->request().turn_id;
  what->head = text.substr(0, session_.config->limits.max_tool_text_bytes);
  what->size = text.size();
  what->outcome = std::move(outcome);
  session_.self->request(store, spill_limit, what->outcome.tool_call_id, std::move(text))
      .then([this, what](const std::string& path) { on_spilled(*what, path); },
            [this, what](const caf::error&) { on_spilled(*what, ""); });
}

void session_calls::on_spilled(spilling& what, const std::string& path) {
  if (!session_.current || session_.current->request().turn_id != what.turn_id)
    return;
  what.outcome.text =
      spilled_output(what.head, what.size, path, session_.config->limits.max_tool_text_bytes);
  session_.current->on_tool_outcome(what.outcome);
  session_.advance();
}

void session_calls::on_approvals(const answer_approvals& answers) {
  if (!session_.current)
    return;
  session_.current->on_approvals(answers.approvals);
  session_.advance();
}

void session_calls::on_hub_restart() {
  for (const auto& id : session_.current->running_calls())
    session_.current->on_tool_outcome(
        {id, errc::server_lost, failure{errc::server_lost, ""}.text(), {}});
}

} // namespace troupe

// The tool calls of a session's turns: their start, their progress, their results, their deadlines.
#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "actors/turn/tool_output.hpp"

namespace troupe {

namespace {

/// How long a result waits for the disk; then it is only cut.
constexpr std::chrono::seconds spill_limit{5};

} // namespace

turn::time_point session_state::now() const {
  return self->clock().now();
}

/// Does what the turn wants done with its calls; the alarm is armed only while there are any.
void session_state::run_calls() {
  for (auto& call : current->take_calls())
    start_call(call);
  if (auto due = current->next_due(); alarm.wants(due))
    self->delayed_send(self, due - now(), atom::tick_v);
  if (!current->over())
    return;
  if (auto asking = current->take_asking(); !asking.empty())
    approvals.keep(std::move(asking));
}

void session_state::start_call(call_tool& call) {
  if (auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name))
    // with the priority of its cancel_call, which must not come first
    self->send<caf::message_priority::high>(tools, std::move(call));
  else
    self->send(self, tool_outcome{call.tool_call_id,
                                  errc::server_unavailable,
                                  failure{errc::server_unavailable, ""}.text(),
                                  {}});
}

void session_state::cancel_calls(const std::string& reason) {
  cancel(current->running_calls(), reason);
}

void session_state::cancel(const std::vector<std::string>& ids, const std::string& reason) {
  if (ids.empty())
    return;
  auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  for (const auto& id : ids)
    if (tools)
      self->send<caf::message_priority::high>(tools, cancel_call{id, reason});
}

void session_state::on_tick() {
  if (!alarm.rings(now()) || !current)
    return;
  cancel(current->expire(), "timeout");
  advance();
}

/// A client that reads slowly misses progress: only that may come without end.
void session_state::on_progress(const tool_progress& report) {
  if (current && !viewers.crowded())
    current->on_tool_progress(report);
  advance();
}

void session_state::on_client_ask(const client_ask& ask) {
  if (current)
    current->on_client_ask(ask);
  advance();
}

/// Returns whether that call of the turn still runs.
bool session_state::runs(const std::string& tool_call_id) const {
  auto ids = current->running_calls();
  return std::find(ids.begin(), ids.end(), tool_call_id) != ids.end();
}

void session_state::on_outcome(tool_outcome& outcome) {
  if (!current)
    return;
  if (outcome.text.size() > config->limits.max_tool_text_bytes && runs(outcome.tool_call_id))
    if (auto store = whereis<tool_output_store_actor>(self->system(), tool_output_store_name))
      return spill(store, outcome);
  current->on_tool_outcome(outcome);
  advance();
}

/// The call counts as running until its text is on disk.
void session_state::spill(const tool_output_store_actor& store, tool_outcome& outcome) {
  auto text = std::exchange(outcome.text, {});
  auto what = std::make_shared<spilling>();
  what->turn_id = current->request().turn_id;
  what->head = text.substr(0, config->limits.max_tool_text_bytes);
  what->size = text.size();
  what->outcome = std::move(outcome);
  self->request(store, spill_limit, what->outcome.tool_call_id, std::move(text))
      .then([this, what](const std::string& path) { on_spilled(*what, path); },
            [this, what](const caf::error&) { on_spilled(*what, ""); });
}

void session_state::on_spilled(spilling& what, const std::string& path) {
  if (!current || current->request().turn_id != what.turn_id)
    return;
  what.outcome.text =
      spilled_output(what.head, what.size, path, config->limits.max_tool_text_bytes);
  current->on_tool_outcome(what.outcome);
  advance();
}

} // namespace troupe

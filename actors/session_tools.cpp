// The tools of a session's turns: which there are, what is attached, calls and their results.
#include <chrono>
#include <utility>

#include "actors/message_extras.hpp"
#include "actors/registry.hpp"
#include "actors/session_state.hpp"
#include "actors/tool_output.hpp"

namespace troupe {

namespace {

/// The resource store waits 10 s for what is loading; this is for its crash.
constexpr std::chrono::seconds attachments_limit{12};

/// How long a result waits for the disk; then it is only cut.
constexpr std::chrono::seconds spill_limit{5};

} // namespace

void session_state::ask_for_tools() {
  const auto& options = current->request().options;
  if (auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name))
    self->send(tools, list_tools{model->second.provider, options.limits_servers,
                                 options.mcp_servers, session_id});
  else
    current->tools_ready({});
}

void session_state::on_tools(const tool_snapshot& tools) {
  if (!current)
    return;
  if (!tools.unknown_server.empty())
    current->fail(
        {errc::request_invalid, "There is no MCP server called '" + tools.unknown_server + "'."});
  else if (tools.has_attachments && current->where() == turn::state::waiting_tools)
    return ask_for_attachments(tools.set);
  else
    current->tools_ready(names.keep(tools.set, model->second.provider));
  advance();
}

void session_state::ask_for_attachments(const frozen<tool_set>& tools) {
  const auto& turn_id = current->request().turn_id;
  auto store = whereis<resource_store_actor>(self->system(), resource_store_name);
  if (!store)
    return on_attachments(turn_id, tools, {});
  attaching = true;
  self->request(store, attachments_limit, list_attachments{session_id, true})
      .then([this, turn_id,
             tools](attachment_list& got) { on_attachments(turn_id, tools, std::move(got)); },
            [this, turn_id, tools](const caf::error&) { on_attachments(turn_id, tools, {}); });
}

/// Attachments that come too late for their turn, because it was aborted, stay with the message.
void session_state::on_attachments(const std::string& turn_id, const frozen<tool_set>& tools,
                                   attachment_list got) {
  if (!got.attachments.empty() && attach(history, std::move(got.attachments)))
    has_extras = true;
  if (!current || current->request().turn_id != turn_id)
    return;
  attaching = false;
  current->tools_ready(names.keep(tools, model->second.provider));
  advance();
}

void session_state::start_call(call_tool& call) {
  if (auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name))
    self->send(tools, std::move(call));
  else
    self->send(self, tool_outcome{call.tool_call_id,
                                  errc::server_unavailable,
                                  failure{errc::server_unavailable, ""}.text(),
                                  {}});
}

void session_state::cancel_calls(const std::string& reason) {
  auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  for (const auto& id : current->running_calls())
    if (tools)
      self->send<caf::message_priority::high>(tools, cancel_call{id, reason});
}

/// A client that reads slowly misses progress: only that may come without end.
void session_state::on_progress(const tool_progress& report) {
  if (current && out.waiting() == 0)
    current->on_tool_progress(report);
  advance();
}

void session_state::on_client_ask(const client_ask& ask) {
  if (current)
    current->on_client_ask(ask);
  advance();
}

void session_state::on_outcome(tool_outcome& outcome) {
  if (!current)
    return;
  if (outcome.text.size() > config->limits.max_tool_text_bytes)
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

void session_state::on_hub_restart() {
  if (!current)
    return;
  for (const auto& id : current->running_calls())
    current->on_tool_outcome({id, errc::server_lost, failure{errc::server_lost, ""}.text(), {}});
  if (!attaching) // else the hub had answered
    current->tools_ready({});
  advance();
}

} // namespace troupe

// The tools of a session's turns: which there are, and what has to be there before the first model
// request: a prompt's messages, attachments.
#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "actors/turn/message_extras.hpp"
#include "messages/ids.hpp"
#include "messages/wire/mcp/prompts.hpp"

namespace troupe {

namespace {

/// The resource store waits 10 s for what is loading; this is for its crash.
constexpr std::chrono::seconds attachments_limit{12};

/// How long a server may take for a prompt.
constexpr std::chrono::seconds prompt_limit{15};

/// Messages that say nothing are left out; providers refuse them. Returns whether any is left.
bool append_prompt(mcp::prompt_result& prompt, std::vector<chat_message>& history) {
  auto before = history.size();
  for (auto& each : prompt.messages) {
    if (each.text.empty() && each.files.empty())
      continue;
    auto& made = history.emplace_back();
    made.who = each.role == "assistant" ? role::assistant : role::user;
    made.text = std::move(each.text);
    made.files = std::move(each.files);
    made.id = make_id("msg_");
  }
  return history.size() > before;
}

/// Returns the number of the last message of a user.
size_t last_user(const std::vector<chat_message>& history) {
  auto last = std::find_if(history.rbegin(), history.rend(),
                           [](const auto& each) { return each.who == role::user; });
  return static_cast<size_t>(history.rend() - last) - 1;
}

} // namespace

void session_state::ask_for_tools() {
  if (current->request().prompt.server.empty())
    list_all_tools();
  else
    ask_for_prompt();
}

void session_state::list_all_tools() {
  const auto& options = current->request().options;
  if (auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name))
    self->send(tools, list_tools{model->second.provider, options.limits_servers,
                                 options.mcp_servers, session_id, current->request().turn_id,
                                 std::chrono::duration_cast<std::chrono::microseconds>(
                                     now().time_since_epoch())
                                     .count()});
  else
    tools_ready({});
}

/// Joins them with those that the client has brought.
void session_state::tools_ready(const frozen<tool_set>& tools) {
  current->tools_ready(
      own_tools.join(tools, current->request().options.tools, model->second.provider));
}

void session_state::on_tools(const tool_snapshot& tools) {
  if (!current || prompting || tools.turn_id != current->request().turn_id)
    return; // it was asked for by the turn before
  if (!tools.unknown_server.empty())
    current->fail(
        {errc::request_invalid, "There is no MCP server called '" + tools.unknown_server + "'."});
  else if (tools.has_attachments && current->state_now() == turn::state::waiting_tools)
    return ask_for_attachments(tools.set);
  else
    tools_ready(names.keep(tools.set, model->second.provider));
  advance();
}

// -- prompts --------------------------------------------------------------------------------------

void session_state::ask_for_prompt() {
  const auto& turn_id = current->request().turn_id;
  const auto& prompt = current->request().prompt;
  auto tools = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  prompting = true;
  if (!tools)
    return on_prompt(turn_id, {{errc::server_unavailable, ""}, {}});
  mcp_ask ask{
      prompt.server, "prompts/get", {mcp::raw_prompt_params(prompt.name, prompt.arguments)}};
  self->request(tools, prompt_limit, std::move(ask))
      .then([this, turn_id](const mcp_answer& got) { on_prompt(turn_id, got); },
            [this, turn_id](const caf::error&) {
              on_prompt(turn_id, {{errc::deadline_exceeded, "The server did not answer."}, {}});
            });
}

void session_state::on_prompt(const std::string& turn_id, const mcp_answer& got) {
  if (!current || current->over() || current->request().turn_id != turn_id)
    return;
  prompting = false;
  mcp::prompt_result read;
  auto bad = got.error;
  if (!bad)
    bad = mcp::parse(got.result.text, read);
  if (!bad && !append_prompt(read, history))
    bad = {errc::server_protocol, "It has no messages."};
  const auto& prompt = current->request().prompt;
  if (bad)
    current->fail({errc::prompt_failed, fmt::format("The prompt '{}' of '{}' can not be used: {}",
                                                    prompt.name, prompt.server, bad.text())});
  else
    list_all_tools();
  advance();
}

// -- attachments ----------------------------------------------------------------------------------

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
  if (!got.attachments.empty() && attach(history, std::move(got.attachments))) {
    has_extras = true;
    persistence.changed(last_user(history));
    if (!current && persistence.keeps_turn() && persistence.is_loaded())
      save(); // no turn's end does
  }
  if (!current || current->request().turn_id != turn_id)
    return;
  attaching = false;
  tools_ready(names.keep(tools, model->second.provider));
  advance();
}

void session_state::on_hub_restart() {
  if (!current)
    return;
  for (const auto& id : current->running_calls())
    current->on_tool_outcome({id, errc::server_lost, failure{errc::server_lost, ""}.text(), {}});
  if (!attaching && !prompting) // else the hub had answered, or is asked later
    tools_ready({});
  advance();
}

} // namespace troupe

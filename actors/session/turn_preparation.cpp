#include "actors/session/turn_preparation.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "actors/turn/message_extras.hpp"
#include "messages/ids.hpp"
#include "messages/ports/inner_errors.hpp"
#include "messages/wire/mcp/prompts.hpp"

namespace troupe {

// -- merged tools ---------------------------------------------------------------------------------

namespace {

bool by_name(const tool_definition& a, const tool_definition& b) {
  return a.name < b.name;
}

bool same_name(const tool_definition& a, const tool_definition& b) {
  return a.name == b.name;
}

bool same_tool(const tool_definition& a, const tool_definition& b) {
  return a.name == b.name && a.description == b.description && a.input_schema == b.input_schema &&
         a.strict == b.strict;
}

} // namespace

bool merged_tools::same(const frozen<tool_set>& base,
                        const std::vector<tool_definition>& own) const {
  return &*base == &*base_ &&
         std::equal(own.begin(), own.end(), own_.begin(), own_.end(), same_tool);
}

const frozen<tool_set>& merged_tools::join(const frozen<tool_set>& base,
                                           const std::vector<tool_definition>& own) {
  if (own.empty())
    return base;
  if (same(base, own))
    return joined_;
  tool_set made;
  made.version = base->version;
  made.tools = own;
  for (auto& each : made.tools)
    each.server.clear(); // whatever a client says, its calls go nowhere else
  made.tools.insert(made.tools.end(), base->tools.begin(), base->tools.end());
  std::stable_sort(made.tools.begin(), made.tools.end(), by_name);
  made.tools.erase(std::unique(made.tools.begin(), made.tools.end(), same_name), made.tools.end());
  base_ = base;
  own_ = own;
  joined_ = frozen<tool_set>{std::move(made)};
  return joined_;
}

// -- turn preparation -----------------------------------------------------------------------------

namespace {

/// The resource store answers within 10 s, loaded or not; this is for its crash.
constexpr std::chrono::seconds attachments_limit{12};

/// How long the disk may take for the files of a chat.
constexpr std::chrono::seconds files_limit{30};

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

void turn_preparation::start() {
  if (session_.current->request().prompt.server.empty())
    list_all_tools();
  else
    ask_for_prompt();
}

void turn_preparation::list_all_tools() {
  phase_ = phase::tools;
  const auto& options = session_.current->request().options;
  if (auto tools = whereis<mcp_hub_for_callers>(session_.self->system(), mcp_hub_name))
    session_.self->send(tools, list_tools{options.limits_servers, options.mcp_servers,
                                          session_.session_id, session_.current->request().turn_id,
                                          std::chrono::duration_cast<std::chrono::microseconds>(
                                              session_.now().time_since_epoch())
                                              .count(),
                                          places_for_tools()});
  else
    want_files({});
}

/// Returns how many tools of servers the model takes beside those of the client.
uint32_t turn_preparation::places_for_tools() const {
  const auto most = session_.model->second.max_tools;
  const auto own = session_.current->request().options.tools.size();
  if (most == 0)
    return UINT32_MAX;
  return own < most ? static_cast<uint32_t>(most - own) : 0;
}

/// Joins the servers' tools with those that the client has brought.
void turn_preparation::tools_ready(const frozen<tool_set>& tools) {
  phase_ = phase::done;
  session_.current->tools_ready(own_tools_.join(tools, session_.current->request().options.tools));
}

void turn_preparation::on_tools(const tool_snapshot& tools) {
  if (!session_.current || phase_ == phase::prompt ||
      tools.turn_id != session_.current->request().turn_id)
    return; // the answer to the turn before
  if (!tools.unknown_server.empty()) {
    phase_ = phase::done;
    session_.current->fail(
        {errc::request_invalid, "There is no MCP server called '" + tools.unknown_server + "'."});
  } else if (tools.has_attachments && session_.current->state_now() == turn::state::waiting_tools) {
    return want_attachments(tools.set);
  } else {
    want_files(names_.keep(tools.set));
  }
  session_.advance();
}

// -- prompts --------------------------------------------------------------------------------------

void turn_preparation::ask_for_prompt() {
  stop(); // a turn that begins again has asked before
  const auto& prompt = session_.current->request().prompt;
  auto tools = whereis<mcp_hub_for_callers>(session_.self->system(), mcp_hub_name);
  phase_ = phase::prompt;
  const auto id = prompt_ask_ = make_id("prompt_");
  if (!tools)
    return on_prompt(id, {{errc::server_unavailable, ""}, {}});
  mcp_ask ask{prompt.server,
              "prompts/get",
              {mcp::raw_prompt_params(prompt.name, prompt.arguments)},
              false,
              id};
  // with the priority of its cancel_call, which must not come first
  session_.self->request<caf::message_priority::high>(tools, prompt_limit, std::move(ask))
      .then([this, id](const mcp_answer& got) { on_prompt(id, got); },
            [this, id](const caf::error&) {
              cancel_prompt(id);
              on_prompt(id, {{errc::deadline_exceeded, "The server did not answer."}, {}});
            });
}

void turn_preparation::stop() {
  if (!prompt_ask_.empty())
    cancel_prompt(std::exchange(prompt_ask_, {}));
}

void turn_preparation::cancel_prompt(const std::string& ask_id) {
  if (auto tools = whereis<mcp_hub_for_callers>(session_.self->system(), mcp_hub_name))
    session_.self->send<caf::message_priority::high>(
        tools, cancel_call{ask_id, "nobody waits for the prompt"});
}

void turn_preparation::on_prompt(const std::string& ask_id, const mcp_answer& got) {
  if (prompt_ask_ != ask_id || !session_.current)
    return; // of a turn that is over, or that has begun again
  prompt_ask_.clear();
  phase_ = phase::done;
  mcp::prompt_result read;
  auto bad = got.error;
  if (!bad)
    bad = mcp::parse(got.result.text, read);
  if (!bad && !append_prompt(read, session_.history))
    bad = {errc::server_protocol, "It has no messages."};
  const auto& prompt = session_.current->request().prompt;
  if (bad && !session_.config->error_details)
    hide_inner_text(session_.config->log.get(), "prompt", session_.session_id, bad.code,
                    bad.message);
  if (bad)
    session_.current->fail(
        {errc::prompt_failed, fmt::format("The prompt '{}' of '{}' cannot be used: {}", prompt.name,
                                          prompt.server, bad.text())});
  else
    list_all_tools();
  session_.advance();
}

// -- attachments ----------------------------------------------------------------------------------

/// Attachments are taken out of the resource store: a turn that may be refused yet must not have
/// them. It asks for its tools again later.
void turn_preparation::want_attachments(const frozen<tool_set>& tools) {
  if (!session_.persistence.may_be_refused())
    return ask_for_attachments(tools);
  phase_ = phase::held;
}

void turn_preparation::go_on() {
  if (phase_ == phase::held)
    list_all_tools();
}

void turn_preparation::ask_for_attachments(const frozen<tool_set>& tools) {
  const auto& turn_id = session_.current->request().turn_id;
  auto store = whereis<resource_store_actor>(session_.self->system(), resource_store_name);
  if (!store)
    return on_attachments(turn_id, tools, {});
  phase_ = phase::attachments;
  session_.self->request(store, attachments_limit, list_attachments{session_.session_id, true})
      .then([this, turn_id,
             tools](attachment_list& got) { on_attachments(turn_id, tools, std::move(got)); },
            [this, turn_id, tools](const caf::error&) { on_attachments(turn_id, tools, {}); });
}

/// Attachments that come too late for their turn, because it was aborted, stay with the message.
void turn_preparation::on_attachments(const std::string& turn_id, const frozen<tool_set>& tools,
                                      attachment_list got) {
  if (!got.attachments.empty() && attach(session_.history, std::move(got.attachments))) {
    session_.has_extras = true;
    session_.persistence.changed(last_user(session_.history));
    if (!session_.current && session_.persistence.keeps_turn() && session_.persistence.is_loaded())
      session_.save(); // no turn runs whose end would do it
  }
  if (!session_.current || session_.current->request().turn_id != turn_id)
    return;
  want_files(names_.keep(tools));
  session_.advance();
}

// -- uploaded files -------------------------------------------------------------------------------

/// A chat that uses a file keeps it: a turn that may be refused yet must not say that it does.
void turn_preparation::want_files(const frozen<tool_set>& tools) {
  auto named = files_named_in(session_.history);
  if (named.ids.empty())
    return tools_ready(tools);
  if (!session_.persistence.may_be_refused())
    return ask_for_files(tools, std::move(named));
  phase_ = phase::held;
}

void turn_preparation::ask_for_files(const frozen<tool_set>& tools, named_files named) {
  const auto& turn_id = session_.current->request().turn_id;
  auto store = whereis<file_store_actor>(session_.self->system(), file_store_name);
  phase_ = phase::files;
  if (!store && named.fresh == 0)
    return tools_ready(tools);
  if (!store)
    return files_failed({errc::capability_missing,
                         "Files are kept with a data folder only; start the server with --data, or "
                         "send the file itself (a data: URL)."});
  session_.self
      ->request(store, files_limit,
                read_chat_files{session_.session_id, std::move(named.ids), named.fresh,
                                session_.persistence.keeps_turn()})
      .then(
          [this, turn_id, tools](file_contents& got) { on_files(turn_id, tools, std::move(got)); },
          [this, turn_id, tools](const caf::error&) {
            on_files(turn_id, tools,
                     {{errc::store_timeout, "The files of this chat could not be read."}, {}});
          });
}

void turn_preparation::on_files(const std::string& turn_id, const frozen<tool_set>& tools,
                                file_contents got) {
  auto& current = session_.current;
  if (!current || current->over() || current->request().turn_id != turn_id)
    return;
  if (got.error) {
    files_failed(got.error);
  } else {
    current->files = std::move(got.files);
    tools_ready(tools);
  }
  session_.advance();
}

void turn_preparation::files_failed(const failure& why) {
  phase_ = phase::done;
  session_.current->fail(why);
}

void turn_preparation::on_hub_restart() {
  if (phase_ == phase::tools) // else the hub has answered, or is asked later
    want_files({});
}

} // namespace troupe

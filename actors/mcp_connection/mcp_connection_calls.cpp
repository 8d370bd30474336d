#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/lost_requests.hpp"
#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/mcp/resources.hpp"
#include "messages/wire/mcp/tools_call.hpp"

namespace troupe {

namespace {

constexpr size_t max_subscriptions = 10'000;

/// Returns the name of a capability as the protocol spells it.
std::string_view capability_name(bool mcp::server_capabilities::*which) {
  std::string_view found = "that";
  std::apply(
      [&](auto... each) { ((each.member == which ? void(found = each.name) : void()), ...); },
      mcp::server_capabilities::fields());
  return found;
}

/// The code's own text comes first: whoever reads it must not take the call for not run.
failure as_unknown(const failure& why) {
  return {errc::outcome_unknown,
          fmt::format("{} ({})", user_text(errc::outcome_unknown), why.text())};
}

} // namespace

void mcp_connection_state::on_call(server_call& ask) {
  mcp_call call;
  call.ask = std::move(ask);
  auto bad = prepare(call);
  if (!bad && calls.full())
    bad = {errc::server_unavailable, "too many calls wait for it"};
  if (bad) {
    self->send(hub, server_outcome{call.ask.call, bad.code, describe(bad), {}});
    return;
  }
  auto at = now();
  call.idle_deadline = at + config.request_timeout;
  call.last_deadline = at + config.total_timeout;
  wake_by(std::min(call.idle_deadline, call.last_deadline));
  calls.add(std::move(call));
  send_waiting();
}

failure mcp_connection_state::prepare(mcp_call& call) const {
  if (disconnecting || (status.phase != server_phase::connected && !recovering))
    return {errc::server_unavailable,
            status.health == server_health::connecting && status.error_text.empty()
                ? "it is still connecting"
                : status.error_text};
  call.method = mcp::find_method(call.ask.method);
  if (call.method == nullptr)
    return {errc::request_invalid, "there is no method \"" + call.ask.method + "\""};
  if (call.method->needs && !(status.capabilities.*call.method->needs))
    return {errc::capability_missing,
            fmt::format("it does not offer {} (capability \"{}\")", call.method->name,
                        capability_name(call.method->needs))};
  call.repeatable = call.method->repeatable;
  call.is_tool = call.ask.method == "tools/call";
  return call.is_tool ? prepare_tool(call) : failure{};
}

/// A server that runs no calls as tasks is called plainly, whatever its tools say.
failure mcp_connection_state::prepare_tool(mcp_call& call) const {
  auto found = tools.find(call.ask.tool);
  auto support = mcp::task_support::forbidden;
  if (found != tools.end()) {
    support = found->second->as_task;
    call.repeatable = found->second->repeatable;
    call.checks_result = !found->second->output_schema.text.empty();
  }
  if (call.ask.as_task && support == mcp::task_support::forbidden)
    return {errc::request_invalid,
            fmt::format("its tool \"{}\" can not be run as a task", call.ask.tool)};
  if (call.ask.as_task && !status.capabilities.task_calls)
    return {errc::capability_missing, "it does not run tools as tasks (capability \"tasks\")"};
  call.as_task = status.capabilities.task_calls &&
                 (call.ask.as_task || support == mcp::task_support::required);
  return {};
}

void mcp_connection_state::send_waiting() {
  while (channel && !expired && !disconnecting && status.phase == server_phase::connected) {
    auto* call = calls.next();
    if (call == nullptr)
      return;
    alive(*call);
    if (call->task_id.empty()) {
      send_call(*call);
    } else {
      call->resumed = true;
      poll(*call);
    }
  }
}

void mcp_connection_state::send_call(mcp_call& call) {
  call.token = requests.next_id();
  auto params = call.is_tool ? mcp::tools_call_params(call.ask.tool, call.ask.params, call.token,
                                                      call.ask.traceparent)
                             : mcp::with_progress_token(call.ask.params, call.token);
  if (call.as_task)
    params = mcp::as_task_params(params, config.total_timeout);
  call.request_id = request({mcp_request::call, call.ask.call, call.method->name}, params);
}

void mcp_connection_state::alive(mcp_call& call) {
  call.idle_deadline = now() + config.request_timeout;
}

void mcp_connection_state::on_progress(const std::string& params) {
  mcp::progress said;
  if (mcp::parse(params, said))
    return;
  mcp_call* call = nullptr;
  if (auto* pending = requests.find(said.token))
    call = pending->what == mcp_request::call ? calls.find(pending->subject) : nullptr;
  else if (auto found = task_tokens.find(said.token); found != task_tokens.end())
    call = calls.find(found->second);
  if (call == nullptr)
    return;
  alive(*call);
  self->send(hub, server_progress{call->ask.call, said.value, said.total, said.message});
}

// -- answers -------------------------------------------------------------------------------------

void mcp_connection_state::on_answer(mcp_call& call, jsonrpc::response& got) {
  call.request_id = 0;
  if (got.is_error)
    return on_refusal(call, got);
  if (call.as_task && call.task_id.empty() && on_created(call, got.result))
    return;
  if (call.is_tool)
    return on_tool_result(call, got.result);
  if (kind_of(got.result) != json_kind::object)
    return finish(call, errc::server_protocol,
                  describe({errc::server_protocol,
                            fmt::format("the answer to {} is no object", call.method->name)}));
  remember(call);
  finish(call, errc::none, {}, std::move(got.result));
}

void mcp_connection_state::on_refusal(mcp_call& call, const jsonrpc::response& got) {
  auto pages = got.error_code == mcp::url_elicitation_required
                   ? mcp::url_elicitation_text(got.error_data)
                   : std::string{};
  auto text = !pages.empty() ? std::move(pages)
                             : fmt::format("it refused {}: {} (code {})", call.method->name,
                                           got.error_message, got.error_code);
  finish(call, errc::server_refused, describe({errc::server_refused, std::move(text)}));
}

void mcp_connection_state::on_tool_result(mcp_call& call, std::string& text) {
  mcp::call_result result;
  if (auto bad = mcp::parse(text, result))
    return finish(call, bad.code, describe(bad));
  if (result.is_error)
    return finish(call, errc::tool_failed, std::move(result.text), std::move(text));
  auto tool = call.checks_result ? tools.find(call.ask.tool) : tools.end();
  std::string mismatch;
  if (tool != tools.end() && !tool->second->output_schema.text.empty())
    mismatch = result.structured_content.empty()
                   ? "there is no structuredContent"
                   : schema_mismatch(tool->second->output_schema.text, result.structured_content);
  if (mismatch.empty())
    return finish(call, errc::none, std::move(result.text), std::move(text));
  finish(call, errc::tool_result_invalid,
         describe({errc::tool_result_invalid,
                   fmt::format("the result of tool \"{}\" does not match its outputSchema: {}",
                               call.ask.tool, mismatch)}),
         std::move(text));
}

void mcp_connection_state::remember(const mcp_call& call) {
  std::string uri;
  if (call.ask.method == "logging/setLevel")
    log_params = call.ask.params;
  else if (call.ask.method == "resources/subscribe" && !mcp::parse_updated(call.ask.params, uri) &&
           subscriptions.size() < max_subscriptions)
    subscriptions.insert(std::move(uri));
  else if (call.ask.method == "resources/unsubscribe" && !mcp::parse_updated(call.ask.params, uri))
    subscriptions.erase(uri);
}

/// The one place where a call ends; the reference to it does, too.
void mcp_connection_state::finish(mcp_call& call, errc error, std::string text,
                                  std::string result) {
  if (call.request_id != 0)
    requests.take(call.request_id);
  if (call.poll_id != 0)
    requests.take(call.poll_id);
  if (!call.task_id.empty())
    task_tokens.erase(call.token);
  auto number = call.ask.call;
  calls.remove(number);
  self->send(hub, server_outcome{number, error, std::move(text), {std::move(result)}});
  send_waiting();
}

// -- calls that end early ------------------------------------------------------------------------

void mcp_connection_state::on_cancel(const server_cancel& cancel) {
  auto* call = calls.find(cancel.call);
  if (call == nullptr)
    return;
  leave(*call, cancel.reason);
  calls.remove(cancel.call);
  send_waiting();
}

/// A task is cancelled by its id; one whose id is still to come, as soon as it is here.
void mcp_connection_state::leave(mcp_call& call, const std::string& reason) {
  if (!call.in_slot)
    return;
  requests.take(call.poll_id);
  if (!call.task_id.empty()) {
    requests.take(call.request_id);
    task_tokens.erase(call.token);
    return cancel_task(call.task_id);
  }
  if (auto* pending = requests.find(call.request_id); pending && call.as_task) {
    pending->what = mcp_request::leave_task;
    call.request_id = 0; // it outlives the call
    pending->deadline = now() + config.request_timeout;
    return wake_by(pending->deadline);
  }
  if (requests.take(call.request_id))
    notify("notifications/cancelled", mcp::cancelled_params(call.request_id, reason));
}

/// While the server waits for an answer of ours, its silence is no sign of anything.
void mcp_connection_state::expire_calls(clock::time_point at) {
  if (asks.size() > 0)
    calls.keep_alive(at + config.request_timeout);
  for (auto number : calls.overdue(at)) {
    auto* call = calls.find(number);
    if (call == nullptr)
      continue;
    auto limit = call->last_deadline <= at ? config.total_timeout : config.request_timeout;
    auto connected = status.phase == server_phase::connected;
    auto what = call->in_slot ? "no answer" : connected ? "no free slot" : "no connection";
    auto text = fmt::format("{} within {} ms", what, limit.count());
    auto code = call->is_tool ? errc::tool_timeout : errc::deadline_exceeded;
    leave(*call, "timeout");
    finish(*call, code, describe({code, std::move(text)}));
  }
}

bool mcp_connection_state::on_call_failed(mcp_call& call, const failure& why, bool not_run) {
  call.request_id = 0;
  auto broken = not_run || breaks_off(why.code);
  lost_request lost{not_run, call.repeatable, call.replayed, call.is_tool};
  auto fate = broken ? fate_of(lost) : lost_fate::lost;
  if (fate == lost_fate::send_again) {
    call.replayed = true;
    calls.put_back(call);
    send_waiting();
    return false;
  }
  auto told = fate == lost_fate::unknown ? as_unknown(why) : failure{why.code, why.text()};
  finish(call, told.code, describe(told));
  return true;
}

void mcp_connection_state::lose_calls(const failure& why, bool comes_again) {
  for (auto number : calls.numbers()) {
    auto* call = calls.find(number);
    auto not_run = !call->in_slot;
    if (comes_again && (not_run || !call->task_id.empty())) {
      if (call->in_slot)
        calls.put_back(*call);
      continue; // waits for the next connection
    }
    auto fate = disconnecting ? lost_fate::lost
                              : fate_of({not_run, call->repeatable, call->replayed, call->is_tool});
    if (fate == lost_fate::send_again && comes_again) {
      call->replayed = true;
      calls.put_back(*call);
      continue;
    }
    auto unknown = !disconnecting && !not_run && call->is_tool;
    auto told = unknown ? as_unknown(why) : failure{errc::server_lost, why.text()};
    finish(*call, told.code, describe(told));
  }
}

} // namespace troupe

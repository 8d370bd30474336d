#include "actors/mcp_connection/mcp_server_calls.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/lost_requests.hpp"
#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/mcp/tools_call.hpp"

namespace troupe {

namespace {

/// Returns the name of a capability as the protocol spells it.
std::string_view capability_name(bool mcp::server_capabilities::*which) {
  std::string_view found = "that";
  std::apply(
      [&](auto... each) { ((each.member == which ? void(found = each.name) : void()), ...); },
      mcp::server_capabilities::fields());
  return found;
}

} // namespace

void mcp_server_calls::on_call(server_call& ask) {
  mcp_call call;
  call.ask = std::move(ask);
  auto bad = prepare(call);
  if (!bad && calls_.full())
    bad = {errc::server_unavailable, "too many calls wait for it"};
  if (bad) {
    connection_.tell_hub(server_outcome{call.ask.call, bad.code, connection_.describe(bad), {}});
    return;
  }
  auto at = connection_.now();
  call.idle_deadline = at + connection_.config.request_timeout;
  call.last_deadline = at + connection_.config.total_timeout;
  connection_.wake_by(std::min(call.idle_deadline, call.last_deadline));
  calls_.add(std::move(call));
  send_waiting();
}

failure mcp_server_calls::prepare(mcp_call& call) const {
  const auto& status = connection_.status;
  if (call.ask.from_node && (status.phase != server_phase::connected || status.remote))
    return {errc::server_session_lost, "it is not connected here"};
  if (connection_.disconnecting ||
      (status.phase != server_phase::connected && !connection_.recovering))
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
failure mcp_server_calls::prepare_tool(mcp_call& call) const {
  const auto* found = connection_.lists.find_tool(call.ask.tool);
  auto support = mcp::task_support::forbidden;
  if (found != nullptr) {
    support = found->as_task;
    call.repeatable = found->repeatable;
    call.checks_result = !found->output_schema.text.empty();
  }
  if (call.ask.as_task && support == mcp::task_support::forbidden)
    return {errc::request_invalid,
            fmt::format("its tool \"{}\" cannot be run as a task", call.ask.tool)};
  if (call.ask.as_task && !connection_.status.capabilities.task_calls)
    return {errc::capability_missing, "it does not run tools as tasks (capability \"tasks\")"};
  call.as_task = connection_.status.capabilities.task_calls &&
                 (call.ask.as_task || support == mcp::task_support::required);
  return {};
}

void mcp_server_calls::send_waiting() {
  while (connection_.channel && !connection_.expired && !connection_.disconnecting &&
         connection_.status.phase == server_phase::connected) {
    auto* call = calls_.next();
    if (call == nullptr)
      return;
    alive(*call);
    if (call->task_id.empty()) {
      send_call(*call);
    } else {
      call->resumed = true;
      connection_.tasks.poll(*call);
    }
  }
}

void mcp_server_calls::send_call(mcp_call& call) {
  call.token = connection_.requests.next_id();
  auto params = call.is_tool ? mcp::tools_call_params(call.ask.tool, call.ask.params, call.token,
                                                      call.ask.traceparent)
                             : mcp::with_progress_token(call.ask.params, call.token);
  if (call.as_task)
    params = mcp::as_task_params(params, connection_.config.total_timeout);
  call.request_id =
      connection_.request({mcp_request::call, call.ask.call, call.method->name}, params);
}

void mcp_server_calls::alive(mcp_call& call) {
  call.idle_deadline = connection_.now() + connection_.config.request_timeout;
}

void mcp_server_calls::on_progress(const std::string& params) {
  mcp::progress said;
  if (mcp::parse(params, said))
    return;
  mcp_call* call = nullptr;
  if (auto* pending = connection_.requests.find(said.token))
    call = pending->what == mcp_request::call ? calls_.find(pending->subject) : nullptr;
  else
    call = connection_.tasks.find(said.token);
  if (call == nullptr)
    return;
  alive(*call);
  connection_.tell_hub(server_progress{call->ask.call, said.value, said.total, said.message});
}

// -- answers -------------------------------------------------------------------------------------

void mcp_server_calls::on_answer(mcp_call& call, jsonrpc::response& got) {
  call.request_id = 0;
  if (got.is_error)
    return on_refusal(call, got);
  if (call.as_task && call.task_id.empty() && connection_.tasks.on_created(call, got.result))
    return;
  if (call.is_tool)
    return on_tool_result(call, got.result);
  if (kind_of(got.result) != json_kind::object)
    return fail(call, {errc::server_protocol,
                       fmt::format("the answer to {} is no object", call.method->name)});
  connection_.standing.remember(call);
  finish(call, errc::none, {}, std::move(got.result));
}

void mcp_server_calls::on_refusal(mcp_call& call, const jsonrpc::response& got) {
  auto pages = got.error_code == mcp::url_elicitation_required
                   ? mcp::url_elicitation_text(got.error_data)
                   : std::string{};
  auto text = !pages.empty() ? std::move(pages)
                             : fmt::format("it refused {}: {} (code {})", call.method->name,
                                           got.error_message, got.error_code);
  fail(call, {errc::server_refused, std::move(text)});
}

void mcp_server_calls::on_tool_result(mcp_call& call, std::string& text) {
  mcp::call_result result;
  if (auto bad = mcp::parse(text, result))
    return fail(call, bad);
  if (result.is_error)
    return finish(call, errc::tool_failed, std::move(result.text), std::move(text));
  const auto* tool = call.checks_result ? connection_.lists.find_tool(call.ask.tool) : nullptr;
  std::string mismatch;
  if (tool != nullptr && !tool->output_schema.text.empty())
    mismatch = result.structured_content.empty()
                   ? "there is no structuredContent"
                   : schema_mismatch(tool->output_schema.text, result.structured_content);
  if (mismatch.empty())
    return finish(call, errc::none, std::move(result.text), std::move(text));
  fail(call,
       {errc::tool_result_invalid,
        fmt::format("the result of tool \"{}\" does not match its outputSchema: {}", call.ask.tool,
                    mismatch)},
       std::move(text));
}

void mcp_server_calls::fail(mcp_call& call, const failure& why, std::string result) {
  finish(call, why.code, connection_.describe(why), std::move(result));
}

/// Removes the call, and tells the hub its outcome; `call` is dangling afterwards.
void mcp_server_calls::finish(mcp_call& call, errc error, std::string text, std::string result) {
  if (call.request_id != 0)
    connection_.requests.take(call.request_id);
  if (call.poll_id != 0)
    connection_.requests.take(call.poll_id);
  if (!call.task_id.empty())
    connection_.tasks.forget(call.token);
  auto number = call.ask.call;
  calls_.remove(number);
  connection_.tell_hub(server_outcome{number, error, std::move(text), {std::move(result)}});
  send_waiting();
}

// -- calls that end early ------------------------------------------------------------------------

void mcp_server_calls::on_cancel(const server_cancel& cancel) {
  auto* call = calls_.find(cancel.call);
  if (call == nullptr)
    return;
  leave(*call, cancel.reason);
  calls_.remove(cancel.call);
  send_waiting();
}

/// A task is cancelled by its id; one whose id is still to come, as soon as it is here.
void mcp_server_calls::leave(mcp_call& call, const std::string& reason) {
  if (!call.in_slot)
    return;
  connection_.requests.take(call.poll_id);
  if (!call.task_id.empty()) {
    connection_.requests.take(call.request_id);
    connection_.tasks.forget(call.token);
    return connection_.tasks.cancel(call.task_id);
  }
  if (auto* pending = connection_.requests.find(call.request_id); pending && call.as_task) {
    pending->what = mcp_request::leave_task;
    call.request_id = 0; // it outlives the call
    pending->deadline = connection_.now() + connection_.config.request_timeout;
    return connection_.wake_by(pending->deadline);
  }
  if (connection_.requests.take(call.request_id))
    connection_.notify("notifications/cancelled", mcp::cancelled_params(call.request_id, reason));
}

/// While the server waits for an answer of ours, its silence is no sign of anything.
void mcp_server_calls::expire(time_point at) {
  const auto& config = connection_.config;
  if (connection_.peer.waits())
    calls_.keep_alive(at + config.request_timeout);
  for (auto number : calls_.overdue(at)) {
    auto* call = calls_.find(number);
    if (call == nullptr)
      continue;
    auto limit = call->last_deadline <= at ? config.total_timeout : config.request_timeout;
    auto connected = connection_.status.phase == server_phase::connected;
    auto what = call->in_slot ? "no answer" : connected ? "no free slot" : "no connection";
    auto text = fmt::format("{} within {} ms", what, limit.count());
    if (const auto unread = connection_.unread.since(at - limit); !unread.empty())
      text += fmt::format("; it sent something that cannot be read: {}", unread);
    auto code = call->is_tool ? errc::tool_timeout : errc::deadline_exceeded;
    leave(*call, "timeout");
    fail(*call, {code, std::move(text)});
  }
}

bool mcp_server_calls::on_failed(mcp_call& call, const failure& why, bool not_run) {
  call.request_id = 0;
  auto broken = not_run || breaks_off(why.code);
  lost_request lost{not_run, call.repeatable, call.replayed || call.ask.from_node, call.is_tool};
  auto fate = broken ? fate_of(lost) : lost_fate::lost;
  if (fate == lost_fate::send_again) {
    call.replayed = true;
    calls_.put_back(call);
    send_waiting();
    return false;
  }
  fail(call, fate == lost_fate::unknown ? as_unknown(why) : failure{why.code, why.text()});
  return true;
}

void mcp_server_calls::lose(const failure& why, bool comes_again) {
  for (auto number : calls_.numbers()) {
    auto* call = calls_.find(number);
    auto not_run = !call->in_slot;
    auto waits = comes_again && !call->ask.from_node;
    if (waits && (not_run || !call->task_id.empty())) {
      if (call->in_slot)
        calls_.put_back(*call);
      continue; // waits for the next connection
    }
    auto fate = connection_.disconnecting
                    ? lost_fate::lost
                    : fate_of({not_run, call->repeatable, call->replayed, call->is_tool});
    if (fate == lost_fate::send_again && waits) {
      call->replayed = true;
      calls_.put_back(*call);
      continue;
    }
    auto unknown = !connection_.disconnecting && !not_run && call->is_tool;
    auto code =
        not_run && (is_unreachable(why.code) || call->ask.from_node) ? why.code : errc::server_lost;
    fail(*call, unknown ? as_unknown(why) : failure{code, why.text()});
  }
}

} // namespace troupe

#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection_state.hpp"
#include "messages/wire/mcp/tools_call.hpp"

namespace troupe {

namespace {

/// How exact deadlines are.
constexpr std::chrono::milliseconds tick_interval{200};

} // namespace

// -- messages ------------------------------------------------------------------------------------

void mcp_connection_state::request(mcp_request what, std::string_view method,
                                   const std::string& params, uint64_t call,
                                   std::chrono::milliseconds timeout) {
  auto id = requests.add(what, call, timeout, now());
  channel->send({jsonrpc::make_request(id, method, params), std::string{method}, id,
                 status.protocol_version});
  if (!std::exchange(ticking, true))
    self->delayed_send(self, tick_interval, atom::tick_v);
}

void mcp_connection_state::notify(std::string_view method, const std::string& params) {
  channel->send({jsonrpc::make_notification(method, params), std::string{method}, 0,
                 status.protocol_version});
}

void mcp_connection_state::on_message(const jsonrpc::response& answer) {
  auto pending = requests.take(answer.id);
  if (!pending)
    return; // late, after a cancel or a timeout
  switch (pending->what) {
  case mcp_request::initialize:
    return on_initialized(answer);
  case mcp_request::list_tools:
    return on_page(answer);
  case mcp_request::call_tool:
    return on_result(pending->call, answer);
  }
}

void mcp_connection_state::on_message(const jsonrpc::request& ask) {
  auto text = ask.method == "ping"
                  ? jsonrpc::make_result(ask.id, "{}")
                  : jsonrpc::make_error(ask.id, jsonrpc::method_not_found,
                                        "This client does not offer " + ask.method + '.');
  channel->send({std::move(text), "", 0, status.protocol_version});
}

void mcp_connection_state::on_message(const jsonrpc::notification& note) {
  mcp::progress report;
  if (note.method == "notifications/tools/list_changed")
    on_list_changed();
  else if (note.method == "notifications/progress" && !mcp::parse(note.params, report))
    if (auto call = requests.progress(report.token, now()))
      self->send(hub, server_progress{*call, report.value, report.total, report.message});
}

/// Before the first listing there is nothing to read again, and nothing may be asked yet.
void mcp_connection_state::on_list_changed() {
  if (status.phase == server_phase::listing_tools || status.phase == server_phase::connected)
    start_listing();
}

void mcp_connection_state::on_message(const jsonrpc::malformed&) {
  // Noise on the line answers no request; deadlines cover what it may have been.
}

// -- calls ---------------------------------------------------------------------------------------

void mcp_connection_state::on_call(server_call& call) {
  if (status.phase != server_phase::connected || disconnecting)
    return answer(call.call, errc::server_unavailable,
                  describe({errc::server_unavailable, status.error_text}));
  if (calls_in_flight >= config.max_parallel)
    return waiting.push_back(std::move(call));
  send_call(call);
}

void mcp_connection_state::send_call(const server_call& call) {
  ++calls_in_flight;
  auto token = requests.next_id();
  request(mcp_request::call_tool, "tools/call",
          mcp::tools_call_params(call.tool, call.arguments, token), call.call,
          config.request_timeout);
}

void mcp_connection_state::on_result(uint64_t call, const jsonrpc::response& got) {
  mcp::call_result result;
  if (got.is_error)
    answer(call, errc::tool_failed, got.error_message);
  else if (auto bad = mcp::parse(got.result, result))
    answer(call, bad.code, describe(bad));
  else
    answer(call, result.is_error ? errc::tool_failed : errc::none, std::move(result.text),
           got.result);
  call_over();
}

void mcp_connection_state::lose_calls(const failure& why) {
  for (const auto& [id, request] : requests.take_all())
    if (request.what == mcp_request::call_tool)
      answer(request.call, errc::server_lost, describe(why));
  for (const auto& call : std::exchange(waiting, {}))
    answer(call.call, errc::server_lost, describe(why));
  calls_in_flight = 0;
}

void mcp_connection_state::answer(uint64_t call, errc error, std::string text, std::string result) {
  self->send(hub, server_outcome{call, error, std::move(text), {std::move(result)}});
}

void mcp_connection_state::call_over() {
  --calls_in_flight;
  if (waiting.empty())
    return;
  auto next = std::move(waiting.front());
  waiting.pop_front();
  send_call(next);
}

void mcp_connection_state::on_cancel(const server_cancel& cancel) {
  if (auto id = requests.id_of(cancel.call)) {
    requests.take(id);
    notify("notifications/cancelled", mcp::cancelled_params(id, cancel.reason));
    return call_over();
  }
  std::erase_if(waiting, [&](const auto& each) { return each.call == cancel.call; });
}

void mcp_connection_state::on_failed(int64_t id, const failure& why) {
  auto pending = requests.take(id);
  if (!pending)
    return;
  if (pending->what != mcp_request::call_tool)
    return drop(why);
  answer(pending->call, why.code, describe(why));
  call_over();
}

void mcp_connection_state::on_tick() {
  ticking = false;
  for (auto id : requests.overdue(now())) {
    auto late = requests.take(id);
    if (!late)
      continue; // gone with the connection that an earlier one dropped
    if (late->what != mcp_request::call_tool) {
      drop({errc::deadline_exceeded, "it did not answer in time while connecting"});
      break;
    }
    notify("notifications/cancelled", mcp::cancelled_params(id, "timeout"));
    answer(late->call, errc::tool_timeout,
           describe(
               {errc::tool_timeout, fmt::format("no answer within {} ms", late->timeout.count())}));
    call_over();
  }
  if (requests.size() > 0 && !std::exchange(ticking, true))
    self->delayed_send(self, tick_interval, atom::tick_v);
}

} // namespace troupe

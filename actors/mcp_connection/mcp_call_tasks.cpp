#include "actors/mcp_connection/mcp_call_tasks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/mcp_server_calls.hpp"
#include "actors/mcp_connection/mcp_wire.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds default_poll_interval{1000};
constexpr milliseconds least_poll_interval{50};

} // namespace

/// Returns false when the server ran the call at once and this is its result.
bool mcp_call_tasks::on_created(mcp_call& call, const std::string& result) {
  mcp::task made;
  if (mcp::parse_created(result, made))
    return false;
  call.task_id = made.id;
  tokens_.emplace(call.token, call.ask.call);
  on_task(call, made);
  return true;
}

mcp_call* mcp_call_tasks::find(int64_t token) const {
  auto found = tokens_.find(token);
  return found == tokens_.end() ? nullptr : calls_.find(found->second);
}

void mcp_call_tasks::poll_later(mcp_call& call) {
  auto wait = call.poll_interval.count() > 0 ? call.poll_interval : default_poll_interval;
  call.poll_id = 0;
  call.poll_at = wire_.now() + std::max(wait, least_poll_interval);
  wire_.wake_by(call.poll_at);
}

void mcp_call_tasks::poll_due(time_point at) {
  for (auto number : calls_.to_poll(at))
    if (auto* call = calls_.find(number))
      poll(*call);
}

void mcp_call_tasks::poll(mcp_call& call) {
  call.poll_at = never;
  call.poll_id = wire_.request({mcp_request::poll, call.ask.call, "tasks/get"},
                               mcp::task_params(call.task_id));
}

void mcp_call_tasks::on_poll(mcp_call& call, const jsonrpc::response& got) {
  call.poll_id = 0;
  mcp::task known;
  if (!got.is_error && !mcp::parse(got.result, known)) {
    calls_.alive(call);
    return on_task(call, known);
  }
  auto code = call.resumed ? errc::outcome_unknown : errc::server_refused;
  auto why = got.is_error ? got.error_message : "the answer cannot be read";
  calls_.fail(call, {code, fmt::format("the task of {} cannot be followed any more: {}",
                                       call.ask.tool, why)});
}

/// A task that waits for input gets it on the stream of its tasks/result.
void mcp_call_tasks::on_task(mcp_call& call, const mcp::task& known) {
  call.poll_interval = known.poll_interval;
  if (known.status == mcp::task_status::cancelled)
    return calls_.fail(call, {errc::tool_failed, "it cancelled the task. " + known.status_message});
  if (known.status != mcp::task_status::working)
    ask_result(call);
  if (!mcp::is_over(known.status) || call.request_id == 0)
    poll_later(call);
}

void mcp_call_tasks::ask_result(mcp_call& call) {
  if (call.request_id == 0)
    call.request_id = wire_.request({mcp_request::task_result, call.ask.call, "tasks/result"},
                                    mcp::task_params(call.task_id));
}

void mcp_call_tasks::on_task_status(const std::string& params) {
  mcp::task known;
  if (mcp::parse(params, known))
    return;
  auto* call = calls_.find_task(known.id);
  if (call == nullptr || !call->in_slot)
    return;
  wire_.requests.take(std::exchange(call->poll_id, 0)); // this is newer
  call->poll_at = never;
  calls_.alive(*call);
  on_task(*call, known);
}

void mcp_call_tasks::cancel(const std::string& task_id) {
  wire_.request(
      {mcp_request::upkeep, 0, "tasks/cancel", wire_.now() + wire_.config.request_timeout},
      mcp::task_params(task_id));
}

void mcp_call_tasks::on_abandoned(const jsonrpc::response& got) {
  mcp::task made;
  if (!got.is_error && !mcp::parse_created(got.result, made))
    cancel(made.id);
}

} // namespace troupe

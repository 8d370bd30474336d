// Calls that the server runs as tasks (specification 2025-11-25, basic/utilities/tasks, as
// requestor): the call makes the task, tasks/get follows it, tasks/result ends it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/wire/mcp/tasks.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds default_poll_interval{1000};
constexpr milliseconds least_poll_interval{50};

} // namespace

/// Returns false when the server ran the call at once and this is its result.
bool mcp_connection_state::on_created(mcp_call& call, const std::string& result) {
  mcp::task made;
  if (mcp::parse_created(result, made))
    return false;
  call.task_id = made.id;
  task_tokens.emplace(call.token, call.ask.call);
  on_task(call, made);
  return true;
}

void mcp_connection_state::poll_later(mcp_call& call) {
  auto wait = call.poll_interval.count() > 0 ? call.poll_interval : default_poll_interval;
  call.poll_id = 0;
  call.poll_at = now() + std::max(wait, least_poll_interval);
  wake_by(call.poll_at);
}

void mcp_connection_state::poll_due(clock::time_point at) {
  for (auto number : calls.to_poll(at))
    if (auto* call = calls.find(number))
      poll(*call);
}

void mcp_connection_state::poll(mcp_call& call) {
  call.poll_at = never;
  call.poll_id =
      request({mcp_request::poll, call.ask.call, "tasks/get"}, mcp::task_params(call.task_id));
}

void mcp_connection_state::on_poll(mcp_call& call, const jsonrpc::response& got) {
  call.poll_id = 0;
  mcp::task known;
  if (!got.is_error && !mcp::parse(got.result, known)) {
    alive(call);
    return on_task(call, known);
  }
  auto code = call.resumed ? errc::outcome_unknown : errc::server_refused;
  auto why = got.is_error ? got.error_message : "the answer can not be read";
  finish(call, code,
         describe({code, fmt::format("the task of {} can not be followed any more: {}",
                                     call.ask.tool, why)}));
}

/// A task that waits for input gets it on the stream of its tasks/result.
void mcp_connection_state::on_task(mcp_call& call, const mcp::task& known) {
  call.poll_interval = known.poll_interval;
  if (known.status == mcp::task_status::cancelled)
    return finish(call, errc::tool_failed,
                  describe({errc::tool_failed, "it cancelled the task. " + known.status_message}));
  if (known.status != mcp::task_status::working)
    ask_result(call);
  if (!mcp::is_over(known.status) || call.request_id == 0)
    poll_later(call);
}

void mcp_connection_state::ask_result(mcp_call& call) {
  if (call.request_id == 0)
    call.request_id = request({mcp_request::task_result, call.ask.call, "tasks/result"},
                              mcp::task_params(call.task_id));
}

void mcp_connection_state::on_task_status(const std::string& params) {
  mcp::task known;
  if (mcp::parse(params, known))
    return;
  auto* call = calls.find_task(known.id);
  if (call == nullptr || !call->in_slot)
    return;
  requests.take(std::exchange(call->poll_id, 0)); // this is newer
  call->poll_at = never;
  alive(*call);
  on_task(*call, known);
}

void mcp_connection_state::cancel_task(const std::string& task_id) {
  request({mcp_request::upkeep, 0, "tasks/cancel", now() + config.request_timeout},
          mcp::task_params(task_id));
}

void mcp_connection_state::on_abandoned(const jsonrpc::response& got) {
  mcp::task made;
  if (!got.is_error && !mcp::parse_created(got.result, made))
    cancel_task(made.id);
}

} // namespace troupe

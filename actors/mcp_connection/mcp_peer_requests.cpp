#include "actors/mcp_connection/mcp_peer_requests.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "actors/mcp_connection/mcp_server_calls.hpp"
#include "actors/mcp_connection/mcp_wire.hpp"
#include "messages/ids.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/elicitation.hpp"
#include "messages/wire/mcp/sampling.hpp"

namespace troupe {

// -- mcp client tasks -----------------------------------------------------------------------------

namespace {

/// Returns the time as ISO 8601, to the second.
std::string wall_time() {
  auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%FT%TZ}", fmt::gmtime(now));
}

} // namespace

void mcp_client_tasks::make_room(time_point now) {
  std::erase_if(tasks_, [now](const auto& each) {
    return mcp::is_over(each.task.status) && each.expires <= now;
  });
  if (tasks_.size() < max_tasks)
    return;
  auto over = std::find_if(tasks_.begin(), tasks_.end(),
                           [](const auto& each) { return mcp::is_over(each.task.status); });
  if (over != tasks_.end())
    tasks_.erase(over);
}

const mcp_client_task* mcp_client_tasks::add(std::string id, std::chrono::milliseconds ttl,
                                             time_point now) {
  make_room(now);
  if (tasks_.size() >= max_tasks)
    return nullptr;
  mcp_client_task made;
  made.task.id = std::move(id);
  made.task.created_at = wall_time();
  made.task.last_updated_at = made.task.created_at;
  made.task.ttl = ttl.count() > 0 ? std::min(ttl, max_ttl) : max_ttl;
  made.task.poll_interval = poll_interval;
  made.expires = now + made.task.ttl;
  tasks_.push_back(std::move(made));
  return &tasks_.back();
}

mcp_client_task* mcp_client_tasks::find(std::string_view id) {
  auto found = std::find_if(tasks_.begin(), tasks_.end(),
                            [id](const auto& each) { return each.task.id == id; });
  return found == tasks_.end() ? nullptr : &*found;
}

std::vector<std::string> mcp_client_tasks::finish(mcp_client_task& task, mcp::task_status status,
                                                  mcp_task_end end) {
  if (mcp::is_over(task.task.status))
    return {};
  task.task.status = status;
  task.task.status_message = end.error_message;
  task.task.last_updated_at = wall_time();
  task.end = std::move(end);
  return std::exchange(task.waiting, {});
}

std::string mcp_client_tasks::list() const {
  std::string out = R"({"tasks":[)";
  for (const auto& each : tasks_)
    out += (&each == &tasks_.front() ? "" : ",") + mcp::task_result(each.task);
  return out + "]}";
}

// -- mcp peer requests ----------------------------------------------------------------------------

namespace {

constexpr std::string_view sampling_method = "sampling/createMessage";
constexpr std::string_view elicitation_method = "elicitation/create";

/// Says what is wrong with params of one of the two; "" if nothing is.
std::string fault_of(const jsonrpc::request& ask) {
  mcp::sampling_request sampling;
  mcp::elicitation_request elicitation;
  auto bad = ask.method == sampling_method ? mcp::parse(ask.params, sampling)
                                           : mcp::parse(ask.params, elicitation);
  return bad ? bad.text() : "";
}

/// Returns the id in the params of notifications/cancelled, as it stands there.
std::string cancelled_id(const std::string& params) {
  json_source source{params};
  std::string_view id;
  read_members(source.root(), {{"requestId", &id}});
  return std::string{id};
}

} // namespace

void mcp_peer_requests::on_request(const jsonrpc::request& ask) {
  const auto& config = wire_.config;
  auto sampling = ask.method == sampling_method && config.sampling != client_policy::deny;
  auto elicitation = ask.method == elicitation_method && config.elicitation != client_policy::deny;
  auto tasks = config.sampling != client_policy::deny || config.elicitation != client_policy::deny;
  if (ask.method == "ping")
    wire_.respond(jsonrpc::make_result(ask.id, "{}"));
  else if (ask.method == "roots/list" && !config.roots.empty())
    wire_.respond(jsonrpc::make_result(ask.id, mcp::roots_result(config.roots)));
  else if (sampling || elicitation)
    on_ask(ask);
  else if (ask.method.starts_with("tasks/") && tasks)
    on_task_request(ask);
  else
    wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::method_not_found,
                                      "This client does not offer " + ask.method + '.'));
}

void mcp_peer_requests::on_ask(const jsonrpc::request& ask) {
  if (auto fault = fault_of(ask); !fault.empty())
    return wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::invalid_params, fault));
  if (asks_.full())
    return wire_.respond(jsonrpc::make_error(
        ask.id, jsonrpc::internal_error,
        fmt::format("This client has {} open requests already.", server_requests::max_open)));
  std::chrono::milliseconds ttl{0};
  if (mcp::asks_for_task(ask.params, ttl))
    return on_ask_as_task(ask, ttl);
  pass_on(ask, asks_.add(ask.id, ""));
}

void mcp_peer_requests::on_ask_as_task(const jsonrpc::request& ask, std::chrono::milliseconds ttl) {
  const auto* made = tasks_.add(make_id("task-"), ttl, wire_.now());
  if (made == nullptr)
    return wire_.respond(jsonrpc::make_error(
        ask.id, jsonrpc::internal_error,
        fmt::format("This client has {} tasks already.", mcp_client_tasks::max_tasks)));
  wire_.respond(jsonrpc::make_result(ask.id, mcp::created_result(made->task)));
  pass_on(ask, asks_.add("", made->task.id));
}

void mcp_peer_requests::pass_on(const jsonrpc::request& ask, uint64_t number) {
  wire_.tell_hub(
      server_ask{wire_.config.name, number, ask.method, {ask.params}, call_of(ask.params)});
}

/// Returns the call that a request of the server belongs to, as far as that is known; else 0.
uint64_t mcp_peer_requests::call_of(const std::string& params) {
  auto* task_call = calls_.find_task(mcp::related_task(params));
  if (task_call != nullptr)
    return task_call->ask.call;
  auto* pending = wire_.requests.find(wire_.related);
  auto of_call =
      pending && (pending->what == mcp_request::call || pending->what == mcp_request::poll ||
                  pending->what == mcp_request::task_result);
  return of_call ? pending->subject : 0;
}

void mcp_peer_requests::on_reply(const server_reply& reply) {
  auto ask = asks_.take(reply.ask);
  if (!ask)
    return; // the server does not wait any more
  answered();
  auto failed = reply.error_code != 0;
  if (ask->task_id.empty())
    return wire_.respond(
        failed ? jsonrpc::make_error(ask->request_id, reply.error_code, reply.error_message)
               : jsonrpc::make_result(ask->request_id, reply.result.text));
  if (auto* task = tasks_.find(ask->task_id))
    end_task(*task, failed ? mcp::task_status::failed : mcp::task_status::completed,
             {reply.result.text, reply.error_code, reply.error_message});
}

/// The server goes on: its silence counts from now.
void mcp_peer_requests::answered() {
  calls_.keep_alive(wire_.now() + wire_.config.request_timeout);
}

void mcp_peer_requests::on_cancelled(const std::string& params) {
  if (auto ask = asks_.take_request(cancelled_id(params)))
    ask_over(*ask);
}

void mcp_peer_requests::ask_over(const open_server_request& ask) {
  answered();
  wire_.tell_hub(server_ask_over{wire_.config.name, ask.number});
}

void mcp_peer_requests::on_closed() {
  for (const auto& each : asks_.take_all())
    ask_over(each);
  tasks_.clear();
}

// -- tasks of the server on our side -------------------------------------------------------------

void mcp_peer_requests::on_task_request(const jsonrpc::request& ask) {
  if (ask.method == "tasks/list")
    return wire_.respond(jsonrpc::make_result(ask.id, tasks_.list()));
  auto* task = tasks_.find(mcp::task_id_of(ask.params));
  if (task == nullptr)
    wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::invalid_params, "There is no such task."));
  else if (ask.method == "tasks/get")
    wire_.respond(jsonrpc::make_result(ask.id, mcp::task_result(task->task)));
  else if (ask.method == "tasks/cancel")
    on_task_cancel(ask, *task);
  else if (ask.method != "tasks/result")
    wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::method_not_found,
                                      "This client does not offer " + ask.method + '.'));
  else if (mcp::is_over(task->task.status))
    answer_result(ask.id, *task);
  else if (task->waiting.size() < mcp_client_tasks::max_waiting)
    task->waiting.push_back(ask.id);
  else
    wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::internal_error,
                                      "Too many requests wait for this task."));
}

void mcp_peer_requests::on_task_cancel(const jsonrpc::request& ask, mcp_client_task& task) {
  if (mcp::is_over(task.task.status))
    return wire_.respond(jsonrpc::make_error(ask.id, jsonrpc::invalid_params, "The task is over."));
  if (auto open = asks_.take_task(task.task.id))
    ask_over(*open);
  end_task(task, mcp::task_status::cancelled,
           {"", jsonrpc::invalid_request, "The task was cancelled."});
  wire_.respond(jsonrpc::make_result(ask.id, mcp::task_result(task.task)));
}

void mcp_peer_requests::end_task(mcp_client_task& task, mcp::task_status as, mcp_task_end how) {
  for (const auto& request_id : tasks_.finish(task, as, std::move(how)))
    answer_result(request_id, task);
  if (wire_.channel)
    wire_.notify("notifications/tasks/status", mcp::task_result(task.task));
}

void mcp_peer_requests::answer_result(const std::string& request_id, const mcp_client_task& task) {
  const auto& end = task.end;
  wire_.respond(
      end.error_code != 0
          ? jsonrpc::make_error(request_id, end.error_code, end.error_message)
          : jsonrpc::make_result(request_id, mcp::with_related_task(end.result, task.task.id)));
}

} // namespace troupe

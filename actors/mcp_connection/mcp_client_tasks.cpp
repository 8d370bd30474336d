#include "actors/mcp_connection/mcp_client_tasks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/chrono.h>

namespace troupe {

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

} // namespace troupe

// MCP tasks (specification 2025-11-25, basic/utilities/tasks), both as requestor and as receiver.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::mcp {

/// The status of a task; the last three are final.
enum class task_status : uint8_t { working, input_required, completed, failed, cancelled };

std::string to_string(task_status what);

/// Returns whether the status is final.
inline bool is_over(task_status what) {
  return what >= task_status::completed;
}

/// A task as its receiver describes it.
struct task {
  std::string id;
  task_status status = task_status::working;
  std::string status_message;
  std::string created_at;                     ///< ISO 8601
  std::string last_updated_at;                ///< ISO 8601
  std::chrono::milliseconds ttl{0};           ///< 0: unlimited (null on the wire)
  std::chrono::milliseconds poll_interval{0}; ///< 0: not given
};

/// Returns the params of a tools/call with `task` added. @param params JSON text of an object
std::string as_task_params(std::string_view params, std::chrono::milliseconds ttl);

/// Returns the params of tasks/get, tasks/result and tasks/cancel.
std::string task_params(std::string_view task_id);

/// Parses a tasks/get result, or the params of notifications/tasks/status.
failure parse(std::string_view result, task& out);

/// Parses a CreateTaskResult.
failure parse_created(std::string_view result, task& out);

/// Returns whether the `params` of a request ask for a task, and sets how long its result must be
/// kept.
bool asks_for_task(std::string_view params, std::chrono::milliseconds& ttl);

std::string created_result(const task& made); ///< a CreateTaskResult
std::string task_result(const task& known);   ///< a tasks/get result
std::string with_related_task(std::string_view result, std::string_view task_id);
std::string task_id_of(std::string_view params); ///< "" if there is none

/// Returns the id in `_meta["io.modelcontextprotocol/related-task"]` of `params`, or "".
std::string related_task(std::string_view params);

} // namespace troupe::mcp

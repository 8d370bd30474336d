// The tasks that run on our side: requests of a server that it wants to poll (specification
// 2025-11-25, basic/utilities/tasks, as receiver).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/mcp/tasks.hpp"

namespace troupe {

/// What a task came to.
struct mcp_task_end {
  std::string result;     ///< JSON text of an object
  int64_t error_code = 0; ///< of JSON-RPC; 0: there is a result
  std::string error_message;
};

/// A task and who waits for its result.
struct mcp_client_task {
  mcp::task task;
  mcp_task_end end;                 ///< once the task is over
  std::vector<std::string> waiting; ///< ids, as JSON text, of tasks/result requests
  std::chrono::steady_clock::time_point expires;
};

/// A bounded table. Pointers hold until the next add(). Not thread safe.
class mcp_client_tasks {
public:
  using time_point = std::chrono::steady_clock::time_point;

  static constexpr size_t max_tasks = 64;
  static constexpr size_t max_waiting = 16; ///< requests for one result
  /// Results are kept for at most so long after the task was made, and so long if nothing was said.
  static constexpr std::chrono::milliseconds max_ttl{3'600'000};
  static constexpr std::chrono::milliseconds poll_interval{500};

  /// Makes a task; the oldest one that is over, or past its time, gives way. Returns nullptr when
  /// there are 64 that run. @param ttl as asked for; 0: nothing was said
  const mcp_client_task* add(std::string id, std::chrono::milliseconds ttl, time_point now);

  /// Returns the task, or nullptr.
  mcp_client_task* find(std::string_view id);

  /// Ends a task that runs. Returns the requests that wait for its result.
  std::vector<std::string> finish(mcp_client_task& task, mcp::task_status status, mcp_task_end end);

  /// Returns a tasks/list result.
  std::string list() const;

  /// Forgets all; for a connection that is gone.
  void clear() { tasks_.clear(); }

  size_t size() const noexcept { return tasks_.size(); }

private:
  void make_room(time_point now);

  std::vector<mcp_client_task> tasks_; ///< oldest first
};

} // namespace troupe

// Calls that the server runs as tasks (specification 2025-11-25, basic/utilities/tasks, as
// requestor): the call makes the task, tasks/get follows it, tasks/result ends it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "actors/mcp_connection/mcp_calls.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/tasks.hpp"

namespace troupe {

class mcp_server_calls;
struct mcp_wire;

/// The part of an mcp_connection that follows the tasks of its calls. The calls themselves are in
/// mcp_server_calls. Owned by the connection's state; the actor's thread only.
class mcp_call_tasks {
public:
  using time_point = mcp_calls::time_point;

  mcp_call_tasks(mcp_wire& wire, mcp_server_calls& calls) : wire_{wire}, calls_{calls} {}

  bool on_created(mcp_call& call, const std::string& result);
  void on_poll(mcp_call& call, const jsonrpc::response& got);
  void on_task_status(const std::string& params);
  void on_abandoned(const jsonrpc::response& got); ///< to a call nobody waits for any more
  void poll(mcp_call& call);
  void poll_later(mcp_call& call);
  void poll_due(time_point at);
  void cancel(const std::string& task_id);

  /// Returns the call whose progress has that token, or nullptr.
  mcp_call* find(int64_t token) const;

  /// Forgets the token of a call that is over.
  void forget(int64_t token) { tokens_.erase(token); }

  /// Forgets all tokens; for a connection that is gone.
  void clear() { tokens_.clear(); }

private:
  void on_task(mcp_call& call, const mcp::task& known);
  void ask_result(mcp_call& call);

  mcp_wire& wire_;
  mcp_server_calls& calls_;
  std::unordered_map<int64_t, uint64_t> tokens_; ///< progress of calls that became tasks
};

} // namespace troupe

// The calls of the hub to a server, from a server_call to its server_outcome.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/mcp_connection/mcp_calls.hpp"
#include "messages/errors.hpp"
#include "messages/mcp/server_messages.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

struct mcp_connection_state;

/// The part of an mcp_connection that runs calls: it sends each when there is a slot, and ends each
/// with one outcome. mcp_call_tasks follows those that run as tasks. Owned by the connection's
/// state; the actor's thread only.
class mcp_server_calls {
public:
  using time_point = mcp_calls::time_point;

  explicit mcp_server_calls(mcp_connection_state& connection) : connection_{connection} {}

  /// Begins, before the first call. @param slots calls in flight
  void start(uint32_t slots) { calls_ = mcp_calls{slots}; }

  void on_call(server_call& ask);
  void on_cancel(const server_cancel& cancel);
  void on_progress(const std::string& params);
  void on_answer(mcp_call& call, jsonrpc::response& got);
  bool on_failed(mcp_call& call, const failure& why, bool not_run); ///< false: sent again
  void send_waiting();
  void expire(time_point at);
  void lose(const failure& why, bool comes_again); ///< the connection is gone
  void alive(mcp_call& call);                      ///< moves its idle deadline
  void finish(mcp_call& call, errc error, std::string text, std::string result = {});
  void fail(mcp_call& call, const failure& why, std::string result = {}); ///< described

  /// The same as those of mcp_calls.
  mcp_call* find(uint64_t number) { return calls_.find(number); }
  mcp_call* find_task(const std::string& task_id) { return calls_.find_task(task_id); }
  void keep_alive(time_point idle_deadline) { calls_.keep_alive(idle_deadline); }
  std::vector<uint64_t> to_poll(time_point at) const { return calls_.to_poll(at); }
  time_point next_due() const { return calls_.next_due(); }

private:
  failure prepare(mcp_call& call) const; ///< decides how it is run, or why it cannot be
  failure prepare_tool(mcp_call& call) const;
  void send_call(mcp_call& call);
  void on_tool_result(mcp_call& call, std::string& text);
  void on_refusal(mcp_call& call, const jsonrpc::response& got);
  void leave(mcp_call& call, const std::string& reason); ///< tells the server

  mcp_connection_state& connection_;
  mcp_calls calls_{1};
};

} // namespace troupe

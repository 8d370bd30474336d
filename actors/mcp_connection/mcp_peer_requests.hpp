// What a server asks of us: the connection answers what it can, and the hub the rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "actors/mcp_connection/mcp_client_tasks.hpp"
#include "actors/mcp_connection/server_requests.hpp"
#include "messages/mcp/server_messages.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/tasks.hpp"

namespace troupe {

struct mcp_connection_state;

/// The part of an mcp_connection that takes the requests of its server. It has those that wait for
/// the hub, and the tasks that the server made of some. Owned by the connection's state; the
/// actor's thread only.
class mcp_peer_requests {
public:
  explicit mcp_peer_requests(mcp_connection_state& connection) : connection_{connection} {}

  void on_request(const jsonrpc::request& ask);
  void on_reply(const server_reply& reply);
  void on_cancelled(const std::string& params); ///< the server's notifications/cancelled
  void on_closed();                             ///< tells the hub that nobody waits any more

  /// Returns whether the server waits for an answer of ours.
  bool waits() const noexcept { return asks_.size() > 0; }

private:
  void on_ask(const jsonrpc::request& ask);
  void on_ask_as_task(const jsonrpc::request& ask, std::chrono::milliseconds ttl);
  void pass_on(const jsonrpc::request& ask, uint64_t number);
  uint64_t call_of(const std::string& params);
  void answered();
  void ask_over(const open_server_request& ask);

  void on_task_request(const jsonrpc::request& ask);
  void on_task_cancel(const jsonrpc::request& ask, mcp_client_task& task);
  void end_task(mcp_client_task& task, mcp::task_status as, mcp_task_end how);
  void answer_result(const std::string& request_id, const mcp_client_task& task);

  mcp_connection_state& connection_;
  server_requests asks_;
  mcp_client_tasks tasks_;
};

} // namespace troupe

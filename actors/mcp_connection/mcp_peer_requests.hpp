// Requests that a server sends to us: the connection answers some, and the hub the rest.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/mcp/server_messages.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/tasks.hpp"

namespace troupe {

/// The result of a task.
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

/// One request of the server that its hub answers.
struct open_server_request {
  uint64_t number = 0;    ///< ours
  std::string request_id; ///< the server's, as JSON text; empty: it runs as a task
  std::string task_id;    ///< empty: it does not
};

/// At most 64 at once, so that all searches are short. Not thread safe.
class server_requests {
public:
  static constexpr size_t max_open = 64;

  bool full() const noexcept { return open_.size() >= max_open; }

  /// Returns the number of a new one.
  uint64_t add(std::string request_id, std::string task_id) {
    open_.push_back({++last_, std::move(request_id), std::move(task_id)});
    return last_;
  }

  std::optional<open_server_request> take(uint64_t number) {
    return take_if([&](const auto& each) { return each.number == number; });
  }

  std::optional<open_server_request> take_request(std::string_view request_id) {
    return take_if([&](const auto& each) {
      return !each.request_id.empty() && each.request_id == request_id;
    });
  }

  std::optional<open_server_request> take_task(std::string_view task_id) {
    return take_if(
        [&](const auto& each) { return !each.task_id.empty() && each.task_id == task_id; });
  }

  /// Takes out everything; for a connection that is gone.
  std::vector<open_server_request> take_all() { return std::exchange(open_, {}); }

  size_t size() const noexcept { return open_.size(); }

private:
  template <class Predicate>
  std::optional<open_server_request> take_if(Predicate chosen) {
    auto found = std::find_if(open_.begin(), open_.end(), chosen);
    if (found == open_.end())
      return {};
    auto taken = std::move(*found);
    open_.erase(found);
    return taken;
  }

  std::vector<open_server_request> open_;
  uint64_t last_ = 0;
};

class mcp_server_calls;
struct mcp_wire;

/// The part of an mcp_connection that takes the requests of its server. It has those that wait for
/// the hub, and the tasks that the server made of some. Owned by the connection's state; the
/// actor's thread only.
class mcp_peer_requests {
public:
  mcp_peer_requests(mcp_wire& wire, mcp_server_calls& calls) : wire_{wire}, calls_{calls} {}

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

  mcp_wire& wire_;
  mcp_server_calls& calls_;
  server_requests asks_;
  mcp_client_tasks tasks_;
};

} // namespace troupe

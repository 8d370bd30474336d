// The requests that a connection has in flight.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/alarm_clock.hpp"

namespace troupe {

/// The purpose of a request.
enum class mcp_request : uint8_t {
  initialize,
  list,        ///< a page of a list
  call,        ///< a server_call of the hub
  poll,        ///< tasks/get for a call that runs as a task
  task_result, ///< tasks/result for such a call
  leave_task,  ///< a call nobody waits for any more; the task that it makes is to be cancelled
  upkeep,      ///< log level, subscriptions, tasks/cancel: only a failure is of interest
  ping,
};

/// JSON-RPC ids in flight. Ids are never used twice, also not after a reconnection. Not thread
/// safe.
class mcp_requests {
public:
  using time_point = std::chrono::steady_clock::time_point;

  struct pending {
    mcp_request what = mcp_request::call;
    uint64_t subject = 0;         ///< the hub's number of the call; the mcp_list
    std::string_view method = {}; ///< static storage
    time_point deadline = never;  ///< calls have their own
  };

  /// Returns the id of a new request.
  int64_t add(pending request) {
    in_flight_.emplace(++last_id_, request);
    return last_id_;
  }

  /// Returns the id that the next add() will give.
  int64_t next_id() const noexcept { return last_id_ + 1; }

  /// Returns the request, or nullptr; valid until it is taken out.
  pending* find(int64_t id) {
    auto found = in_flight_.find(id);
    return found == in_flight_.end() ? nullptr : &found->second;
  }

  /// Takes a request out; nothing if the id is not in flight.
  std::optional<pending> take(int64_t id) {
    auto found = in_flight_.find(id);
    if (found == in_flight_.end())
      return {};
    auto taken = found->second;
    in_flight_.erase(found);
    return taken;
  }

  /// Returns the id of the one request in flight; 0 if there is none, or more than one.
  int64_t only() const { return in_flight_.size() == 1 ? in_flight_.begin()->first : 0; }

  /// Returns the ids whose deadline has passed.
  std::vector<int64_t> overdue(time_point now) const {
    std::vector<int64_t> ids;
    for (const auto& [id, request] : in_flight_)
      if (request.deadline <= now)
        ids.push_back(id);
    return ids;
  }

  /// Returns the earliest deadline; `never` if there is none.
  time_point next_deadline() const {
    auto first = never;
    for (const auto& [id, request] : in_flight_)
      first = std::min(first, request.deadline);
    return first;
  }

  /// Forgets everything; for a connection that is gone.
  void clear() { in_flight_.clear(); }

  size_t size() const noexcept { return in_flight_.size(); }

private:
  std::unordered_map<int64_t, pending> in_flight_;
  int64_t last_id_ = 0;
};

} // namespace troupe

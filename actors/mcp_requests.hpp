// The requests that a connection has in flight, with their deadlines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// What a request was for.
enum class mcp_request : uint8_t { initialize, list_tools, call_tool };

/// JSON-RPC ids in flight. Not thread safe.
class mcp_requests {
public:
  using clock = std::chrono::steady_clock;

  struct pending {
    mcp_request what = mcp_request::call_tool;
    uint64_t call = 0;                    ///< call_tool: the hub's number
    std::chrono::milliseconds timeout{0}; ///< without progress
    clock::time_point idle_deadline;
    clock::time_point last_deadline; ///< progress does not move it
  };

  /// How much longer than its timeout a request may take in all, however much progress it reports.
  static constexpr int total_factor = 10;

  /// Returns the id of a new request.
  int64_t add(mcp_request what, uint64_t call, std::chrono::milliseconds timeout,
              clock::time_point now) {
    in_flight_.emplace(++last_id_,
                       pending{what, call, timeout, now + timeout, now + timeout * total_factor});
    return last_id_;
  }

  /// Returns the id that the next add() will give.
  int64_t next_id() const noexcept { return last_id_ + 1; }

  /// Takes a request out; nothing if the id is not in flight.
  std::optional<pending> take(int64_t id) {
    auto found = in_flight_.find(id);
    if (found == in_flight_.end())
      return {};
    auto taken = found->second;
    in_flight_.erase(found);
    return taken;
  }

  /// Returns the request's call number and restarts its idle deadline; nothing if it is not in
  /// flight.
  std::optional<uint64_t> progress(int64_t id, clock::time_point now) {
    auto found = in_flight_.find(id);
    if (found == in_flight_.end())
      return {};
    auto& request = found->second;
    request.idle_deadline = std::min(now + request.timeout, request.last_deadline);
    return request.call;
  }

  /// Returns the id under which a call is in flight, or 0.
  int64_t id_of(uint64_t call) const {
    for (const auto& [id, request] : in_flight_)
      if (request.what == mcp_request::call_tool && request.call == call)
        return id;
    return 0;
  }

  /// Returns the ids whose deadline has passed.
  std::vector<int64_t> overdue(clock::time_point now) const {
    std::vector<int64_t> ids;
    for (const auto& [id, request] : in_flight_)
      if (request.idle_deadline <= now)
        ids.push_back(id);
    return ids;
  }

  /// Takes out everything; for a connection that is gone.
  std::map<int64_t, pending> take_all() { return std::exchange(in_flight_, {}); }

  size_t size() const noexcept { return in_flight_.size(); }

private:
  std::map<int64_t, pending> in_flight_;
  int64_t last_id_ = 0;
};

} // namespace troupe

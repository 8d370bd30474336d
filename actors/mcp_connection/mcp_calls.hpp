// The calls of a connection: those in flight, each in a slot, and those that wait for one.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/alarm_clock.hpp"
#include "messages/mcp/server_messages.hpp"
#include "messages/wire/mcp/methods.hpp"

namespace troupe {

/// One server_call from its arrival to its outcome, also while it runs as a task of the server.
struct mcp_call {
  using time_point = std::chrono::steady_clock::time_point;

  server_call ask;
  const mcp::method* method = nullptr;
  bool is_tool = false;
  bool as_task = false;
  bool repeatable = false;    ///< may be run twice
  bool checks_result = false; ///< the tool has an outputSchema
  bool replayed = false;      ///< it was sent a second time, and will not be a third
  bool in_slot = false;       ///< the server has it
  int64_t request_id = 0;     ///< the call, or its tasks/result, in flight; 0: none
  int64_t poll_id = 0;        ///< its tasks/get in flight; 0: none
  int64_t token = 0;          ///< of its progress
  std::string task_id;        ///< once the server has made a task of it
  bool resumed = false;       ///< the task was looked for on a new connection
  std::chrono::milliseconds poll_interval{0};
  time_point poll_at = never;       ///< the next tasks/get
  time_point idle_deadline = never; ///< moved by every sign of life
  time_point last_deadline = never; ///< moved by nothing
};

/// Finds calls by number in constant time. References hold until the call is removed. Not thread
/// safe.
class mcp_calls {
public:
  using time_point = mcp_call::time_point;

  /// Calls that may wait for a slot; more are refused.
  static constexpr size_t max_waiting = 10'000;

  /// @param slots calls in flight, at least 1
  explicit mcp_calls(uint32_t slots) : slots_{slots} {}

  bool full() const noexcept { return waiting_.size() >= max_waiting; }

  /// Takes a call in; it waits behind all others.
  void add(mcp_call call);

  mcp_call* find(uint64_t number);

  /// Returns the call that runs as that task, or nullptr.
  mcp_call* find_task(const std::string& task_id);

  /// Gives the call that waited longest a slot; nullptr when none waits, or no slot is free.
  mcp_call* next();

  /// Takes the slot back; the call waits in front of all others.
  void put_back(mcp_call& call);

  /// Takes a call out; its slot is free. Returns whether there was one of that number.
  bool remove(uint64_t number);

  /// Moves the idle deadline of the calls that have a slot.
  void keep_alive(time_point idle_deadline);

  /// Returns the numbers of all calls, newest first.
  std::vector<uint64_t> numbers() const;

  /// Returns the numbers of calls whose deadline has passed, and of those that are to be polled.
  std::vector<uint64_t> overdue(time_point now) const;
  std::vector<uint64_t> to_poll(time_point now) const;

  /// Returns when the next of both is due; `never` if nothing is.
  time_point next_due() const;

  size_t size() const noexcept { return calls_.size(); }
  size_t in_flight() const noexcept { return in_flight_; }

private:
  std::unordered_map<uint64_t, mcp_call> calls_;
  std::deque<uint64_t> waiting_;
  uint32_t slots_;
  size_t in_flight_ = 0;
};

} // namespace troupe

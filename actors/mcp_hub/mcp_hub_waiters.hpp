// Callers that wait until an mcp_hub has come so far.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// What callers wait for.
enum class hub_milestone : uint8_t {
  settled,     ///< every server is connected or has failed
  listed,      ///< and every connected one has told its lists
  disconnected ///< all connections are closed
};

/// The promises to these callers, each of which is answered in the end. The hub's state owns them.
/// Not thread safe.
class mcp_hub_waiters {
public:
  using promise = caf::typed_response_promise<atom::done>;

  mcp_hub_waiters() = default;
  mcp_hub_waiters(const mcp_hub_waiters&) = delete;
  mcp_hub_waiters& operator=(const mcp_hub_waiters&) = delete;

  /// The hub ends: the milestones will not come.
  ~mcp_hub_waiters() {
    for (auto& each : waiting_)
      each.second.deliver(caf::make_error(errc::server_lost));
  }

  /// Adds a caller. Returns the promise, for the handler to return.
  promise add(hub_milestone milestone, promise caller) {
    return waiting_.emplace(milestone, std::move(caller))->second;
  }

  /// Returns whether a caller waits for the milestone.
  bool any(hub_milestone milestone) const { return waiting_.contains(milestone); }

  /// Answers all callers that wait for the milestone.
  void answer(hub_milestone milestone) {
    auto [first, last] = waiting_.equal_range(milestone);
    for (auto each = first; each != last; ++each)
      each->second.deliver(atom::done_v);
    waiting_.erase(first, last);
  }

private:
  std::multimap<hub_milestone, promise> waiting_; ///< in order of arrival for each milestone
};

} // namespace troupe

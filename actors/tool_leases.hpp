// Who is using which MCP server now: one lease for each running call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/actor_addr.hpp>

namespace troupe {

/// A running call; it keeps its server from being shut down.
struct tool_lease {
  uint64_t call = 0;
  caf::actor_addr holder;
  std::string tool_call_id; ///< the holder's
  std::string server;
};

/// All running calls. Not thread safe.
class tool_leases {
public:
  /// Begins a lease and returns its call number.
  uint64_t acquire(caf::actor_addr holder, std::string tool_call_id, std::string server) {
    auto call = ++last_call_;
    ++held_[holder];
    leases_.emplace(
        call, tool_lease{call, std::move(holder), std::move(tool_call_id), std::move(server)});
    return call;
  }

  const tool_lease* find(uint64_t call) const {
    auto found = leases_.find(call);
    return found == leases_.end() ? nullptr : &found->second;
  }

  /// Returns the call numbers of the leases for which `chosen` holds.
  template <class Predicate>
  std::vector<uint64_t> select(Predicate chosen) const {
    std::vector<uint64_t> calls;
    for (const auto& [call, lease] : leases_)
      if (chosen(lease))
        calls.push_back(call);
    return calls;
  }

  /// Ends a lease; nothing if there is none of that number.
  std::optional<tool_lease> release(uint64_t call) {
    auto found = leases_.find(call);
    if (found == leases_.end())
      return {};
    auto ended = std::move(found->second);
    leases_.erase(found);
    if (auto held = held_.find(ended.holder); --held->second == 0)
      held_.erase(held);
    return ended;
  }

  /// Returns how many leases `holder` has.
  size_t held_by(const caf::actor_addr& holder) const {
    auto found = held_.find(holder);
    return found == held_.end() ? 0 : found->second;
  }

  /// Returns how many calls are running; servers are not shut down before it is 0.
  size_t active_flow_count() const noexcept { return leases_.size(); }

private:
  std::map<uint64_t, tool_lease> leases_;
  std::unordered_map<caf::actor_addr, size_t> held_;
  uint64_t last_call_ = 0;
};

} // namespace troupe

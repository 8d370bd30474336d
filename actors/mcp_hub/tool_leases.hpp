// Who is using which MCP server now: one lease for each running call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/typed_response_promise.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// A running call; it keeps its server from being shut down.
struct tool_lease {
  uint64_t call = 0;
  caf::actor_addr holder;
  std::string server;
  std::string tool_call_id;                        ///< the holder's; of an mcp_ask its id
  std::string session_id;                          ///< whose call it is; empty: of no chat
  bool answers = false;                            ///< the holder takes client_ask
  caf::typed_response_promise<mcp_answer> promise; ///< of an mcp_ask; the holder waits for it
  std::shared_ptr<tool_sink> sink;                 ///< takes what else would go to the holder
};

/// All running calls. Not thread safe.
class tool_leases {
public:
  /// Begins a lease; sets its call number and returns it.
  uint64_t acquire(tool_lease lease) {
    auto call = lease.call = ++last_call_;
    held_[lease.holder].push_back(call);
    leases_.emplace(call, std::move(lease));
    return call;
  }

  const tool_lease* find(uint64_t call) const {
    auto found = leases_.find(call);
    return found == leases_.end() ? nullptr : &found->second;
  }

  /// Returns the call numbers of the leases for which `chosen` holds, oldest first.
  template <class Predicate>
  std::vector<uint64_t> select(Predicate chosen) const {
    std::set<uint64_t> calls;
    for (const auto& [call, lease] : leases_)
      if (chosen(lease))
        calls.insert(call);
    return {calls.begin(), calls.end()};
  }

  /// Returns the call numbers of the leases of `holder`, oldest first.
  std::vector<uint64_t> held_by(const caf::actor_addr& holder) const {
    auto found = held_.find(holder);
    return found == held_.end() ? std::vector<uint64_t>{} : found->second;
  }

  /// Returns whether `holder` has a lease.
  bool holds(const caf::actor_addr& holder) const {
    auto found = held_.find(holder);
    return found != held_.end() && !found->second.empty();
  }

  /// Returns whether `holder` has had a lease and was not forgotten since.
  bool knows(const caf::actor_addr& holder) const { return held_.count(holder) > 0; }

  /// Forgets a holder that has no lease any more.
  void forget(const caf::actor_addr& holder) { held_.erase(holder); }

  /// Ends a lease; nothing if there is none of that number.
  std::optional<tool_lease> release(uint64_t call) {
    auto found = leases_.find(call);
    if (found == leases_.end())
      return {};
    auto ended = std::move(found->second);
    leases_.erase(found);
    auto& others = held_[ended.holder];
    others.erase(std::lower_bound(others.begin(), others.end(), call));
    return ended;
  }

  /// Returns how many calls are running; servers are not shut down before it is 0.
  size_t active_flow_count() const noexcept { return leases_.size(); }

private:
  std::unordered_map<uint64_t, tool_lease> leases_;
  std::unordered_map<caf::actor_addr, std::vector<uint64_t>> held_; // ascending
  uint64_t last_call_ = 0;
};

} // namespace troupe

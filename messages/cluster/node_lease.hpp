// Whether this node has its lease.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace troupe {

/// A node's own membership. Written by the member_port, read by everybody; any thread.
class node_lease {
public:
  using clock = std::chrono::steady_clock;

  /// @param lease zero: the node is alone with its database, and needs none
  explicit node_lease(uint64_t incarnation, std::chrono::milliseconds lease = {},
                      std::chrono::milliseconds beat = {})
      : incarnation_{incarnation}, lease_{lease}, beat_{beat} {}

  /// Returns which start of this node the database knows (chat_fence::node). Changes when the
  /// others took this one for dead.
  uint64_t incarnation() const noexcept { return incarnation_; }

  /// Returns whether new turns may begin: the lease lasts for more than a second.
  bool serves(clock::time_point now = clock::now()) const noexcept {
    return lease_.count() == 0 || now - at(renewed_) < lease_ - reserve;
  }

  /// Returns whether its own lease had no gap for the time of one. After an outage of the database
  /// all leases are over, and the first node that recovers must not declare others dead.
  bool is_steady(clock::time_point now = clock::now()) const noexcept {
    return lease_.count() == 0 || now - at(steady_) >= lease_;
  }

  /// Returns whether it may judge about others at any moment: it is steady, and has just reached
  /// the database. Else it might be the outage that it has not noticed yet.
  bool may_judge(clock::time_point now = clock::now()) const noexcept {
    return lease_.count() == 0 || (is_steady(now) && silence(now) < beat_);
  }

  /// The lease was renewed. @param when the renewal was sent @param anew there was a gap before
  void renewed(clock::time_point when, bool anew) noexcept {
    if (anew || when - at(renewed_) >= lease_)
      steady_ = when.time_since_epoch().count();
    renewed_ = when.time_since_epoch().count();
  }

  /// Returns whether an operator wants the node to take no new turns.
  bool drains() const noexcept { return drains_; }
  void drain(bool wanted) noexcept { drains_ = wanted; }

  /// The node has come back as another one.
  void become(uint64_t incarnation) noexcept { incarnation_ = incarnation; }

  /// Returns the time since the lease was renewed.
  clock::duration silence(clock::time_point now = clock::now()) const noexcept {
    return now - at(renewed_);
  }

  std::chrono::milliseconds duration() const noexcept { return lease_; }

private:
  /// The time left of the lease when a node stops to take turns.
  static constexpr std::chrono::milliseconds reserve{1000};

  static clock::time_point at(clock::rep since) noexcept {
    return clock::time_point{clock::duration{since}};
  }

  std::atomic<uint64_t> incarnation_;
  std::atomic<bool> drains_{false};
  std::atomic<clock::rep> renewed_{0}, steady_{0};
  std::chrono::milliseconds lease_, beat_;
};

} // namespace troupe

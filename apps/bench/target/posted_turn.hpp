// A turn that runs on other threads than its lane's.
#pragma once

#include <memory>
#include <vector>

#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// Passes observations to a lane's loop, until let_go(). Shared by the lane and the engine.
class posted_turn : public std::enable_shared_from_this<posted_turn> {
public:
  /// @param lane must outlive it
  posted_turn(loop& lane, target::watcher watch);

  /// Tells the observations on the lane's loop, in order. Any thread.
  void tell(std::vector<turn_observation> observations);

  /// Tells no more. Lane's thread only, as over().
  void let_go();

  /// Returns whether the last observation was told.
  bool over() const noexcept { return over_; }

private:
  loop& lane_;
  target::watcher watch_;
  bool gone_ = false;
  bool over_ = false;
};

/// Returns an observation with the current time.
turn_observation observation_of(observed what);

/// Returns `failed` with the current time and the failure's code and text.
turn_observation observation_of(const failure& why);

} // namespace troupe::bench

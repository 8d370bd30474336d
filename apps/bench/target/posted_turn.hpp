// A turn that runs on other threads than its lane's.
#pragma once

#include <memory>
#include <vector>

#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// Brings signs to a lane, and to nobody once the turn was let go. Shared by the lane and by what
/// runs the turn.
class posted_turn : public std::enable_shared_from_this<posted_turn> {
public:
  /// @param lane must outlive it
  posted_turn(loop& lane, target::watcher watch);

  /// Tells the signs on the lane's loop, in order. Any thread.
  void tell(std::vector<turn_sign> signs);

  /// Tells no more. Lane's thread only, as over().
  void let_go();

  /// Returns whether the last sign was told.
  bool over() const noexcept { return over_; }

private:
  loop& lane_;
  target::watcher watch_;
  bool gone_ = false;
  bool over_ = false;
};

/// Returns a sign of now.
turn_sign sign_of(sign what);

/// Returns `failed`, of now, with the failure's code and text.
turn_sign sign_of(const failure& why);

} // namespace troupe::bench

// Monitors that end with their observer.
#pragma once

#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/local_actor.hpp>

namespace troupe {

/// CAF leaves an entry in every actor that was monitored until that one ends: a short-lived
/// observer of a long-lived actor must take it out. A member of the observer's state; not thread
/// safe.
class monitors {
public:
  explicit monitors(caf::local_actor* observer) : observer_{observer} {}
  monitors(const monitors&) = delete;
  monitors& operator=(const monitors&) = delete;

  ~monitors() {
    for (const auto& each : watched_)
      observer_->demonitor(each);
  }

  template <class Handle>
  void add(const Handle& target) {
    observer_->monitor(target);
    watched_.push_back(target.address());
  }

private:
  caf::local_actor* observer_;
  std::vector<caf::actor_addr> watched_;
};

} // namespace troupe

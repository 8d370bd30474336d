// Actors without threads: CAF's test scheduler and its clock, one step at a time.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include "messages/interfaces/interfaces.hpp"

namespace troupe::test {

struct deterministic_config : caf::actor_system_config {
  deterministic_config();
};

/// A fixture whose actors run only in run() and advance().
class deterministic {
public:
  deterministic() : sys{config}, self{sys, true} {}
  ~deterministic() { run(); }

  caf::scheduler::test_coordinator& sched() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler());
  }

  /// Runs until no actor has anything to do.
  void run() {
    while (sched().try_run_once()) {
    }
  }

  /// Moves the clock, then runs.
  void advance(std::chrono::milliseconds by) {
    run();
    sched().advance_time(by);
    run();
  }

  /// Asks an actor and returns what it answers; fails the test by an exception if it does not.
  template <class Answer, class Handle, class... Ts>
  Answer ask(const Handle& whom, Ts&&... what) {
    auto pending = self->request(whom, caf::infinite, std::forward<Ts>(what)...);
    run();
    Answer got;
    pending.receive([&](Answer& answer) { got = std::move(answer); },
                    [&](caf::error& why) { throw std::runtime_error{sys.render(why)}; });
    return got;
  }

  deterministic_config config;
  caf::actor_system sys;
  caf::scoped_actor self;
};

} // namespace troupe::test

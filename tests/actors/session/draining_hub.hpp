// A drain of the session hub that is under way.
#pragma once

#include <memory>

#include "tests/actors/session/chat.hpp"

namespace troupe::test {

/// Asks for a drain, and tells how often it was answered.
class drain {
public:
  drain(chat& world, caf::timespan limit) {
    world.sys.spawn([=, done = done_, hub = world.hub](caf::event_based_actor* self) {
      self->request(hub, caf::infinite, atom::drain_v, limit)
          .then([=](atom::done) { ++*done; }, [](const caf::error&) {});
    });
    world.run();
  }
  int answers() const { return *done_; }

private:
  std::shared_ptr<int> done_ = std::make_shared<int>(0);
};

} // namespace troupe::test

// Parents for actors under test: they note how their children end.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "tests/support/deterministic.hpp"

namespace troupe::test {

/// Why children ended, in order.
using endings = std::shared_ptr<std::vector<caf::error>>;

/// Runs `spawn(parent)` in an actor of its own, which takes note of exits and goes on; it ends, and
/// its children with it, when it is told to by an exit message of its own address.
inline caf::actor make_parent(deterministic& world, const endings& notes,
                              std::function<void(caf::local_actor&)> spawn) {
  auto parent = world.sys.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_exit_handler([=](caf::exit_msg& msg) {
      if (msg.source == self->address())
        self->quit(msg.reason);
      else
        notes->push_back(msg.reason);
    });
    spawn(*self);
    return {[](atom::done) {}};
  });
  world.run();
  return parent;
}

/// Ends an actor at once, for any reason, as its own defect would.
template <class Handle>
void crash(deterministic& world, const Handle& whom,
           caf::error why = caf::make_error(errc::internal)) {
  caf::anon_send(caf::actor_cast<caf::actor>(whom), caf::exit_msg{whom.address(), std::move(why)});
  world.run();
}

} // namespace troupe::test

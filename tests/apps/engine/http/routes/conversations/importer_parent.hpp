// An importer without a thread of its own.
#pragma once

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "apps/engine/library/conversation_importer.hpp"

namespace troupe::test {

/// The behavior of an actor that spawns an importer, registers it, and lives as long as it.
inline caf::behavior importer_parent(caf::event_based_actor* me, const store_settings& settings) {
  me->system().registry().put(
      conversation_importer_name,
      caf::actor_cast<caf::strong_actor_ptr>(spawn_conversation_importer(*me, settings, false)));
  me->attach_functor([me] { me->system().registry().erase(conversation_importer_name); });
  return {[](atom::tick) {}};
}

} // namespace troupe::test

// Questions to actors from threads that may wait.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/logger.hpp>
#include <caf/scoped_actor.hpp>

#include "actors/registry.hpp"
#include "apps/engine/configuration/time_bound.hpp"

namespace troupe {

/// Releases CAF's logger at the end of a scope. A thread that spawns an actor shares the logger,
/// and ~actor_system waits for the last such thread, which must not be one of the application.
struct logger_guard {
  logger_guard() = default;
  logger_guard(const logger_guard&) = delete;
  logger_guard& operator=(const logger_guard&) = delete;
  ~logger_guard() { caf::logger::set_current_actor_system(nullptr); }
};

/// Asks a registered actor and waits; nothing when it did not answer in time.
template <class Answer, class Hub, class... Ask>
std::optional<Answer> ask_hub(caf::actor_system& system, caf::atom_value name,
                              std::chrono::milliseconds limit, Ask... what) {
  logger_guard guard;
  std::optional<Answer> got;
  caf::scoped_actor self{system};
  if (auto hub = whereis<Hub>(system, name))
    self->request(hub, bounded(limit), std::move(what)...)
        .receive([&](Answer& answer) { got = std::move(answer); }, [](const caf::error&) {});
  return got;
}

} // namespace troupe

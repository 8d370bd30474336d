// Questions to actors from threads that may wait.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "apps/engine/configuration/time_bound.hpp"

namespace troupe {

/// A spawn makes the calling thread share CAF's logger, and ~actor_system waits for the last such
/// thread: a thread of the application must not keep it.
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

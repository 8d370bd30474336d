// Metrics and log lines about turns, for the operator.
#pragma once

#include <memory>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Spawns the actor that counts and logs turn_reports, linked to its parent. A restart sets its
/// figures to zero, which Prometheus takes as a reset of the counters.
/// @param log may be nullptr
telemetry_actor spawn_telemetry(caf::local_actor& parent, std::shared_ptr<log_port> log);

} // namespace troupe

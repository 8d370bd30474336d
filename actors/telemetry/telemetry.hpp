// What an engine tells its operator about turns: metrics and log lines.
#pragma once

#include <memory>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Spawns the one that counts turn_reports and logs them, linked to its parent. Its figures begin
/// at zero when it is restarted, which Prometheus takes for a reset of the counters.
/// @param log may be nullptr
telemetry_actor spawn_telemetry(caf::local_actor& parent, std::shared_ptr<log_port> log);

} // namespace troupe

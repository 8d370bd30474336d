// What turns used, by owner, day and model.
#pragma once

#include <cstdint>

#include "messages/turn_report.hpp"
#include "messages/usage_messages.hpp"
#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// Adds a turn to its day: once to each model that it asked, with what that used.
/// @param owner number of the owner
failure add_usage(sqlite_connection& db, int64_t owner, int64_t ended_ms,
                  const turn_report& report);

/// Returns what an owner used.
usage_table read_usage(sqlite_connection& db, const usage_query& ask);

} // namespace troupe

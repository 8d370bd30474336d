// The token usage of turns, by owner, day and model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "messages/chat/turn_report.hpp"
#include "messages/store/usage_messages.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// The usage of a transaction's turns. Turns of one transaction are mostly of the same day and
/// model, so one row is written for many of them.
class usage_sums {
public:
  /// Adds a turn to its day: once to each model that it asked, with the tokens of that model's
  /// requests.
  /// @param owner number of the owner
  void add(int64_t owner, int64_t ended_ms, const turn_report& report);

  /// Adds the sums to the table, and forgets them; within a transaction.
  failure write(sqlite_connection& db);

  void clear() { rows_.clear(); }

private:
  using row_key = std::tuple<int64_t, int64_t, std::string>; ///< owner, day since 1970, model

  std::map<row_key, usage_row> rows_;
};

/// Returns the usage of an owner.
usage_table read_usage(sqlite_connection& db, const usage_query& ask);

} // namespace troupe

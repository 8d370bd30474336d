// The token usage of turns that are saved together, by owner, day and model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "messages/chat/turn_report.hpp"
#include "messages/store/usage_messages.hpp"

namespace troupe {

/// The usage of a transaction's turns. Turns of one transaction are mostly of the same day and
/// model, so one row is written for many of them.
class usage_sums {
public:
  /// Adds a turn to its day: once to each model that it asked, with the tokens of that model's
  /// requests.
  /// @param owner number of the owner @param ended_ms since 1970
  void add(int64_t owner, int64_t ended_ms, const turn_report& report);

  /// Calls `visit(owner, row)` for each sum.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [key, row] : rows_)
      visit(std::get<0>(key), row);
  }

  bool empty() const { return rows_.empty(); }
  void clear() { rows_.clear(); }

private:
  usage_row& row_of(int64_t owner, int64_t day, const std::string& model);

  using row_key = std::tuple<int64_t, int64_t, std::string>; ///< owner, day since 1970, model

  std::map<row_key, usage_row> rows_;
};

} // namespace troupe

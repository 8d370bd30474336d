// Usage of owners: tokens of turns, by day and model, and the bytes that they keep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/store/owner_quota.hpp"

namespace troupe {

/// The usage of an owner's turns on one day with one model.
struct usage_row {
  std::string day; ///< "2026-11-21", UTC
  std::string model;
  uint64_t turns = 0;
  uint64_t requests = 0; ///< to the model
  usage used;

  static constexpr auto fields(auto...) {
    using self = usage_row;
    return std::make_tuple(field("day", &self::day), field("model", &self::model),
                           field("turns", &self::turns), field("requests", &self::requests),
                           field("usage", &self::used));
  }
};

/// Asks for the usage of an owner. Answered with usage_table.
struct usage_query {
  std::string owner;
  std::string from; ///< first day, "2026-11-01"; empty: the first there is
  std::string to;   ///< last day; empty: today
  static constexpr auto fields(auto...) {
    using self = usage_query;
    return std::make_tuple(field("owner", &self::owner), field("from", &self::from),
                           field("to", &self::to));
  }
};

/// Answers usage_query.
struct usage_table {
  failure error;
  std::vector<usage_row> rows; ///< by day, then model
  owner_holdings kept = {};    ///< now
  owner_quota quota = {};
  static constexpr auto fields(auto...) {
    using self = usage_table;
    return std::make_tuple(field("error", &self::error), field("rows", &self::rows),
                           field("kept", &self::kept), field("quota", &self::quota));
  }
};

} // namespace troupe

// The settings that a store keeps, and how it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// One value of the settings, as a text that only who wrote it understands.
struct setting {
  std::string key;   ///< "mcpServers/NAME"
  std::string value; ///< JSON; empty: there is none
  static constexpr auto fields() {
    return std::make_tuple(field("key", &setting::key), field("value", &setting::value));
  }
};

struct list_settings {
  std::string prefix; ///< of the keys
  static constexpr auto fields() {
    return std::make_tuple(field("prefix", &list_settings::prefix));
  }
};

struct setting_list {
  failure error;
  std::vector<setting> settings; ///< sorted by key
  static constexpr auto fields() {
    return std::make_tuple(field("error", &setting_list::error),
                           field("settings", &setting_list::settings));
  }
};

/// How the store is; all counts since it was opened.
struct store_status {
  failure error;        ///< why nothing can be kept now; none: all is well
  std::string path;     ///< of the database
  std::string notice;   ///< what an operator should know, as of a damaged file set aside; or empty
  uint64_t saves = 0;   ///< writes of all kinds
  uint64_t commits = 0; ///< transactions they shared
  uint64_t failures = 0;
  uint64_t largest_commit = 0;    ///< most saves in one
  uint64_t commit_us = 0;         ///< time spent in commits
  uint64_t interrupted_turns = 0; ///< found when it was opened
  static constexpr auto fields() {
    using self = store_status;
    return std::make_tuple(
        field("error", &self::error), field("path", &self::path), field("notice", &self::notice),
        field("saves", &self::saves), field("commits", &self::commits),
        field("failures", &self::failures), field("largestCommit", &self::largest_commit),
        field("commitUs", &self::commit_us), field("interruptedTurns", &self::interrupted_turns));
  }
};

} // namespace troupe

// The settings in the store, and the state of the store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// One setting; the store does not read its value.
struct setting {
  std::string key;   ///< "mcpServers/NAME", "mcpTools/NAME"
  std::string value; ///< JSON; empty: there is none
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("key", &setting::key), field("value", &setting::value));
  }
};

/// Asks for the settings whose keys begin with `prefix`. Answered with setting_list.
struct list_settings {
  std::string prefix; ///< empty: all settings
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("prefix", &list_settings::prefix));
  }
};

/// Answers list_settings.
struct setting_list {
  failure error;
  std::vector<setting> settings; ///< sorted by key
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &setting_list::error),
                           field("settings", &setting_list::settings));
  }
};

/// The state of the store; all counts since it was opened.
struct store_status {
  failure error;        ///< why nothing can be kept now; none: all is well
  std::string path;     ///< of the database
  std::string notice;   ///< a note for the operator, such as a damaged file set aside; or empty
  uint64_t saves = 0;   ///< writes of all kinds
  uint64_t commits = 0; ///< transactions they shared
  uint64_t failures = 0;
  uint64_t largest_commit = 0;    ///< most saves in one commit
  uint64_t commit_us = 0;         ///< time spent in commits
  uint64_t interrupted_turns = 0; ///< found when it was opened
  static constexpr auto fields(auto...) {
    using self = store_status;
    return std::make_tuple(
        field("error", &self::error), field("path", &self::path), field("notice", &self::notice),
        field("saves", &self::saves), field("commits", &self::commits),
        field("failures", &self::failures), field("largestCommit", &self::largest_commit),
        field("commitUs", &self::commit_us), field("interruptedTurns", &self::interrupted_turns));
  }
};

} // namespace troupe

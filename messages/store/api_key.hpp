// Keys of the HTTP interface.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// A key of the HTTP interface. Only a hash of its secret part is stored.
struct api_key {
  std::string id;                   ///< public part of the key's text
  std::string owner;                ///< 1 to 64 of [A-Za-z0-9_.@-]
  std::string name;                 ///< what the operator calls it
  std::string hash;                 ///< SHA-256 of its secret part, hexadecimal; never shown
  bool admin = false;               ///< may change MCP servers and see what is not an owner's
  uint32_t requests_per_minute = 0; ///< 0: no limit
  uint32_t concurrent_turns = 0;    ///< of the owner; 0: no limit
  int64_t created_ms = 0;
  int64_t revoked_ms = 0; ///< 0: the key is valid

  static constexpr auto fields(auto...) {
    using self = api_key;
    return std::make_tuple(
        field("id", &self::id), field("owner", &self::owner), field("name", &self::name),
        field("hash", &self::hash), field("admin", &self::admin),
        field("requestsPerMinute", &self::requests_per_minute),
        field("concurrentTurns", &self::concurrent_turns), field("createdAt", &self::created_ms),
        field("revokedAt", &self::revoked_ms));
  }
};

/// Asks for the keys of all owners; for revoked ones only with `revoked_too`. Answered with
/// key_list.
struct list_keys {
  bool revoked_too = false;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("revoked_too", &list_keys::revoked_too));
  }
};

/// Answers list_keys.
struct key_list {
  failure error;
  std::vector<api_key> keys;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &key_list::error), field("keys", &key_list::keys));
  }
};

} // namespace troupe

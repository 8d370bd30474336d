// Where chats are kept.
#pragma once

#include <string>

#include "messages/store/durability.hpp"

namespace troupe {

/// `data`, `store` and `durability`.
struct store_settings {
  std::string folder; ///< is made if it is not there
  std::string url;    ///< postgresql://..., in place of a folder; may hold a password
  durability durable = durability::normal;

  /// Returns whether chats are kept; if not, they live in memory only.
  bool keeps() const { return !folder.empty() || !url.empty(); }
};

} // namespace troupe

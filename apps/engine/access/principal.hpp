// The identity of a client, and the access that a route requires.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/engine/access/key_meter.hpp"

namespace troupe {

/// Who sends a request, as its API key says.
struct principal {
  std::string owner;                          ///< empty: single-user mode
  bool admin = true;                          ///< may change things that belong to no owner
  uint32_t concurrent_turns = 0;              ///< 0: any number
  std::shared_ptr<key_meter> meter = nullptr; ///< of the key; nullptr: there is none
  bool inner_texts = true; ///< sees what models and MCP servers say about their failures
};

/// Who may use a route where requests need an API key.
enum class route_access : uint8_t {
  everybody, ///< also without a key, and pages of any origin
  owners, ///< with any key; the route changes only the owner's data, and shows that and public data
  admins  ///< with an admin's key
};

} // namespace troupe

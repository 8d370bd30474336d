// The requests that Troupe passes to a server as they are: one row per method.
#pragma once

#include <string_view>

#include "messages/mcp/mcp_capabilities.hpp"

namespace troupe::mcp {

/// A method that servers answer.
struct method {
  std::string_view name;            ///< "resources/read"
  bool server_capabilities::*needs; ///< the capability it needs; nullptr: none
  bool repeatable;                  ///< may be sent again when it is unknown whether it was run
};

/// Returns the row of `name`, or nullptr if clients may not send it (initialize, notifications,
/// ...). tools/call has a row too; whether a tool is repeatable is said by its annotations.
const method* find_method(std::string_view name);

/// Returns `params` (JSON text of an object, or "") with `_meta.progressToken` set.
std::string with_progress_token(std::string_view params, int64_t token);

} // namespace troupe::mcp

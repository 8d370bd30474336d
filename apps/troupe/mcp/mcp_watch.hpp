// `troupe mcp watch`: what changes, as it happens.
#pragma once

#include "apps/troupe/mcp/mcp_client.hpp"

namespace troupe {

/// Prints events until a signal, and returns an exit code: 0, or 1 when they ended by themselves.
int watch_verb(const mcp_options& options, mcp_client& client);

} // namespace troupe

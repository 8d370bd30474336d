// The wait for MCP servers before a command goes on.
#pragma once

#include "apps/engine/engine.hpp"

namespace troupe {

/// Waits until every MCP server is connected or has failed once, as long as the slowest may take,
/// and says on stderr which ones are awaited, and which still connect in the end.
/// @param config of the engine
void wait_for_servers(engine& running, const engine_config& config);

} // namespace troupe

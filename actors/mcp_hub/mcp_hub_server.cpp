#include "actors/mcp_hub/mcp_hub_server.hpp"

namespace troupe {

server_status fresh_status(const mcp_server_config& config) {
  server_status status;
  status.name = config.name;
  status.type = config.type;
  status.enabled = config.enabled;
  status.health = config.enabled ? server_health::connecting : server_health::idle;
  return status;
}

} // namespace troupe

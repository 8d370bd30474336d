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

server_status faulty_status(const mcp_server_config& config) {
  auto status = fresh_status(config);
  status.health = server_health::error;
  status.phase = server_phase::given_up;
  status.error = errc::config_invalid;
  status.error_text = config.fault;
  return status;
}

} // namespace troupe

#include "messages/mcp/mcp_config.hpp"

namespace troupe {

std::string to_string(client_policy what) {
  switch (what) {
  case client_policy::ask:
    return "ask";
  case client_policy::allow:
    return "allow";
  case client_policy::deny:
    return "deny";
  }
  return "ask";
}

} // namespace troupe

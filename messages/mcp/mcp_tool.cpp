#include "messages/mcp/mcp_tool.hpp"

namespace troupe::mcp {

std::string to_string(task_support what) {
  switch (what) {
  case task_support::forbidden:
    return "forbidden";
  case task_support::optional:
    return "optional";
  case task_support::required:
    return "required";
  }
  return "forbidden";
}

} // namespace troupe::mcp

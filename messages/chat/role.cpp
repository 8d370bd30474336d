#include "messages/chat/role.hpp"

namespace troupe {

std::string to_string(role who) {
  switch (who) {
  case role::system:
    return "system";
  case role::user:
    return "user";
  case role::assistant:
    return "assistant";
  case role::tool:
    return "tool";
  }
  return "user";
}

} // namespace troupe

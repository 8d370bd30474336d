#include "messages/store/conversation.hpp"

#include "messages/store/conversation_messages.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

std::string to_string(turn_state where) {
  switch (where) {
  case turn_state::running:
    return "running";
  case turn_state::ended:
    return "ended";
  case turn_state::aborted:
    return "aborted";
  case turn_state::failed:
    return "failed";
  case turn_state::interrupted:
    return "interrupted";
  }
  return "interrupted";
}

std::string to_string(durability how) {
  switch (how) {
  case durability::full:
    return "full";
  case durability::normal:
    return "normal";
  case durability::none:
    return "none";
  }
  return "normal";
}

} // namespace troupe

#include "messages/cluster/cluster_node.hpp"

namespace troupe {

std::string to_string(cluster_state what) {
  switch (what) {
  case cluster_state::serving:
    return "serving";
  case cluster_state::draining:
    return "draining";
  case cluster_state::dead:
    break;
  }
  return "dead";
}

} // namespace troupe

#include "messages/store/store_port.hpp"

namespace troupe {

failure store_connection::save_all(const std::vector<const save_chat*>& asks,
                                   std::vector<save_answer>& out) {
  for (const auto* each : asks)
    out.push_back(save(*each));
  return {};
}

} // namespace troupe

#include "transport/store/answer_room.hpp"

#include <fmt/format.h>

namespace troupe {

failure check_room(uint64_t bytes, const get_conversation& ask) {
  if (bytes <= ask.most_bytes)
    return {};
  return {errc::too_many_connections,
          fmt::format("the chat has {} bytes, and {} more may wait in the server's memory for this "
                      "client; take the answers that wait, or try again later",
                      bytes, ask.most_bytes)};
}

} // namespace troupe

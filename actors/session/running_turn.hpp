// A turn and what the session holds for as long as it runs.
#pragma once

#include <cstddef>
#include <vector>

#include "actors/turn/turn.hpp"
#include "messages/store/chat_file_messages.hpp"

namespace troupe {

/// The turn of a session.
struct running_turn : turn {
  using turn::turn;

  std::vector<file_content> files; ///< uploaded ones that the history names; each request has them
  size_t begins = 0;               ///< messages of the history before the first one of the turn
};

} // namespace troupe

// A turn and what the session holds for as long as it runs.
#pragma once

#include <vector>

#include "actors/turn/turn.hpp"
#include "messages/store/chat_file_messages.hpp"

namespace troupe {

/// The turn of a session.
struct running_turn : turn {
  using turn::turn;

  std::vector<file_content> files; ///< uploaded ones that the history names; each request has them
};

} // namespace troupe

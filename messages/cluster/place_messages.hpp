// Places of turns among all nodes. The actor cluster_limits keeps them.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Asks whether one more turn of an owner may run on this node; answered by place_answer. If it
/// may, the other nodes know of it before the answer.
struct take_place {
  std::string owner;
  uint64_t running = 0; ///< turns of the owner here, with the one that asks
  uint32_t most = 1;    ///< on all nodes together
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("owner", &take_place::owner),
                           field("running", &take_place::running),
                           field("most", &take_place::most));
  }
};

/// Answers take_place.
struct place_answer {
  errc refused = errc::none; ///< too_many_turns; store_unreachable: nobody knows
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("refused", &place_answer::refused));
  }
};

/// Tells how many turns of an owner run on this node; of one with a limit, when one is over.
struct owner_turns {
  std::string owner;
  uint64_t running = 0;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("owner", &owner_turns::owner),
                           field("running", &owner_turns::running));
  }
};

} // namespace troupe

// Messages from the viewers of a turn to its session.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/http.hpp"

namespace troupe {

/// Lets the session send `events` more events to the sender, a viewer of the chat's turn.
struct grant_credit {
  std::string session_id;
  uint32_t events = 0;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &grant_credit::session_id),
                           field("events", &grant_credit::events));
  }
};

/// Asks for the events of the running turn, or of the last turn if it was resumable: old events are
/// replayed, new ones follow live. They go to the sender. turn_refused with turn_not_running if
/// there is no such turn.
struct watch_turn {
  std::string session_id;
  std::string turn_id;        ///< empty: any
  uint64_t after_seq = 0;     ///< the sender has the events up to this number; 0: from the start
  bool replays_ended = false; ///< whether a turn that has ended may be replayed
  uint32_t credit = 0;
  static constexpr auto fields(auto...) {
    using self = watch_turn;
    return std::make_tuple(field("session_id", &self::session_id), field("turn_id", &self::turn_id),
                           field("after_seq", &self::after_seq),
                           field("replays_ended", &self::replays_ended),
                           field("credit", &self::credit));
  }
};

/// The sender stops viewing the turn. If the sender asked for the turn, the turn is aborted unless
/// it is resumable.
struct leave_turn {
  std::string session_id;
  std::string turn_id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &leave_turn::session_id),
                           field("turn_id", &leave_turn::turn_id));
  }
};

/// An event of a subscriber's client.
struct client_signal {
  response_signal what = response_signal::gone;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("what", &client_signal::what));
  }
};

} // namespace troupe

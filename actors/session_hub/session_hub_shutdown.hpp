// The shutdown of a session hub.
#pragma once

#include <chrono>
#include <vector>

#include <caf/make_message.hpp> // caf/result.hpp forgets it
#include <caf/result.hpp>
#include <caf/timespan.hpp>
#include <caf/typed_response_promise.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

struct session_hub_state;

/// The part of a session hub's state that waits for the last turns. The state owns it.
///
///     open --drain--> draining --limit; running turns are aborted---> last_moments
///                        |  '--no turn runs, a chat is not saved yet--^    |
///                        '--all is over--> drained <--all is over, or 2 s later
///
/// No turn is taken after the first drain. A caller that asks again waits for the same end.
class session_hub_shutdown {
public:
  explicit session_hub_shutdown(session_hub_state& hub) : hub_{hub} {}

  /// Returns whether the hub takes no turns any more.
  bool begun() const noexcept { return draining_; }

  /// Refuses new turns. Answers when no turn runs and all is saved, or the limit has passed.
  caf::result<atom::done> on_drain(caf::timespan limit);

  void look_if_drained(); ///< a turn or a session is over, or a chat was saved
  void on_timer();

private:
  void all_drained();
  void on_limit();

  session_hub_state& hub_;
  bool draining_ = false;
  bool aborting_ = false; ///< the last moments have begun
  std::chrono::steady_clock::time_point limit_;
  std::vector<caf::typed_response_promise<atom::done>> drained_;
};

} // namespace troupe

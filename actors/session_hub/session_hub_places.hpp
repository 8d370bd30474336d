// Places among all nodes of a cluster, for turns of owners with a limit.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <caf/actor_addr.hpp>

#include "messages/interfaces/interfaces.hpp"

namespace troupe {

struct session_hub_state;

/// The part of a session hub's state that asks for places, and tells what runs. The state owns it.
/// A turn that needs a place is held back until the other nodes know of it:
///
///     start --ask--> asking --granted--> begins, waits or is refused as any other turn
///                      | '--refused, or nobody answers--> is refused
///                      '--its client leaves, or it is aborted--> the answer is for nobody
class session_hub_places {
public:
  explicit session_hub_places(session_hub_state& hub) : hub_{hub} {}

  /// Tells the others that nothing runs here: the hub begins again.
  void clear() const;

  /// Returns whether a turn needs a place: in a cluster, if its owner has a limit.
  bool needs(const turn_request& request) const;

  /// Asks for a place, and takes the turn. Returns false if nobody can be asked: it was refused.
  bool ask(const subscriber_actor& client, start_turn& turn);

  /// Tells the others how many turns of an owner run here, if they count these.
  void tell(std::string_view owner);

  /// Takes the client of a turn that asks for its place: it begins for nobody. nullptr: there is no
  /// such turn
  subscriber_actor take(const std::function<bool(const turn_request&)>& which);

  /// A client is gone. Returns whether its turn asked for its place.
  bool drop(const caf::actor_addr& client);

private:
  struct asking_turn {
    uint64_t number = 0;
    subscriber_actor client; ///< nullptr: it has been refused, or is gone
    start_turn turn;
  };

  void on_answer(uint64_t number, errc refused);

  session_hub_state& hub_;
  std::vector<asking_turn> asking_;
  uint64_t last_number_ = 0;
  std::set<std::string, std::less<>> counted_; ///< owners whose turns the other nodes count
};

} // namespace troupe

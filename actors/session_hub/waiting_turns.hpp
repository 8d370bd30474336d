// Turns that wait for the running one of their chat.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <caf/actor_addr.hpp>

#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// One turn that waits, and who asked for it.
struct waiting_turn {
  subscriber_actor client;
  start_turn ask;
};

/// The queues of all chats. In each, turns that abort the turn in front of them come before turns
/// that only wait. The session hub's state owns them. Not thread safe.
class waiting_turns {
public:
  void add(subscriber_actor client, start_turn ask);

  /// Takes the next turn of a chat.
  std::optional<waiting_turn> take(const std::string& session_id);

  /// Takes the turn of this id out of a chat's queue.
  std::optional<waiting_turn> take(const std::string& session_id, const std::string& turn_id);

  /// Returns whether the next turn of a chat aborts the turn in front of it.
  bool next_aborts(const std::string& session_id) const;

  /// Drops the turn of a client that is gone. Returns whether there was one.
  bool drop(const caf::actor_addr& client);

  /// Takes the turns of all chats.
  std::vector<waiting_turn> take_all();

  /// Returns how many turns wait in a chat.
  size_t count(const std::string& session_id) const;

private:
  std::unordered_map<std::string, std::vector<waiting_turn>> queues_; ///< none is empty
  std::unordered_map<caf::actor_addr, std::string> chats_;            ///< of the clients
};

} // namespace troupe

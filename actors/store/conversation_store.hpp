// The actor that writes chats, settings and keys to the database.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include <caf/local_actor.hpp>

#include "actors/running_turn_count.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// State that outlives a restart of the actor: without it, turns that still run would be closed as
/// turns of an earlier process. Only the actor touches it.
struct store_memory {
  bool turns_closed = false; ///< close_running_turns was done
  uint64_t interrupted_turns = 0;
};

/// How a store writes.
struct conversation_store_config {
  store_port* port = nullptr; ///< outlives the actors
  durability durable = durability::normal;
  size_t max_saves = 512; ///< in one commit
  /// From the first save to the commit, without the commit_delay.
  std::chrono::milliseconds max_delay{5};
  /// Running turns of all chats; not nullptr.
  std::shared_ptr<const running_turn_count> turns = std::make_shared<running_turn_count>();
  std::shared_ptr<log_port> log = {}; ///< gets failures and recoveries; nullptr: no log
  std::shared_ptr<store_memory> memory = std::make_shared<store_memory>();
  bool detached = true; ///< a thread of its own; false: its writes hold up the scheduler (tests)
  /// Makes the store's thread wait for more writes, see commit_delay. Tests replace it.
  std::function<void(std::chrono::microseconds)> wait = [](std::chrono::microseconds time) {
    std::this_thread::sleep_for(time);
  };
};

/// Spawns the store, linked to its parent. Writes that wait in its mailbox share a commit. While
/// the store fails, each write is answered with the reason at once, the status has the error, and a
/// probe runs each second. A store that is told to end commits first.
conversation_store_actor spawn_conversation_store(caf::local_actor& parent,
                                                  conversation_store_config config);

} // namespace troupe

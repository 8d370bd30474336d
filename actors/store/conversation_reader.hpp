// The actor that answers questions about stored conversations, beside the writes.
#pragma once

#include <functional>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// A reader's database, and the function that gets the keys.
struct conversation_reader_config {
  store_port* port = nullptr; ///< outlives the actors

  /// Gets the valid keys, on the reader's thread: when the reader starts, before it answers
  /// anything, and within a second after any process has changed them. Never called with a list
  /// that holds an error. Empty: the reader does not look for changes.
  std::function<void(key_list)> keys_changed = {};

  bool detached = true; ///< threads of its own; false: its reads hold up the scheduler (tests)
};

/// Spawns the reader, linked to its parent. From the first question on for a whole conversation it
/// has another one beside it for these, so that no other question waits. Each question tries to
/// open a database that could not be opened before, and is answered with the reason if it fails
/// again.
conversation_reader_actor spawn_conversation_reader(caf::local_actor& parent,
                                                    conversation_reader_config config);

} // namespace troupe

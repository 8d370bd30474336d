// The actor that answers questions about what is kept, beside the writes.
#pragma once

#include <functional>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// What a reader reads, and who is told of the keys.
struct conversation_reader_config {
  store_port* port = nullptr; ///< outlives the actors

  /// Gets the keys that are good, on the reader's thread: when it starts, before it answers
  /// anything, and within a second after they were changed, by whatever process. Not called with a
  /// list that holds an error. Empty: nobody looks for changes.
  std::function<void(key_list)> keys_changed = {};

  bool detached = true; ///< a thread of its own; false: its reads hold up the scheduler (tests)
};

/// Spawns the reader, linked to its parent. A database that can not be opened is tried again with
/// each question, which is answered with the reason until it can.
conversation_reader_actor spawn_conversation_reader(caf::local_actor& parent,
                                                    conversation_reader_config config);

} // namespace troupe

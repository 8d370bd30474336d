// Chats that are read piece by piece, beside the writes.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "messages/cluster/node_lease.hpp"
#include "messages/store/store_port.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// The connections of a store's readings: each reading has one for itself, so that all of its
/// pieces see one state of the database. Any thread; outlives the readings.
class postgres_readers {
public:
  /// @param self the node of this process
  postgres_readers(postgres_place at, std::shared_ptr<const node_lease> self)
      : at_{std::move(at)}, self_{std::move(self)} {}

  /// Begins to read a chat.
  std::unique_ptr<chat_reading> begin(const load_chat& ask);

  /// Takes a connection back that is in no transaction.
  void give(std::unique_ptr<postgres_connection> used);

private:
  std::unique_ptr<postgres_connection> take();

  postgres_place at_;
  std::shared_ptr<const node_lease> self_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<postgres_connection>> idle_; ///< to open one takes a millisecond
};

/// Reads all that a session needs of its chat, in a transaction of its own if there is none; such a
/// one begins again after a loss of the connection. version 0: there is no chat
/// @param node of this process
chat_record read_whole_chat(postgres_connection& db, const load_chat& ask, uint64_t node);

/// Reads a whole conversation, in a transaction as above.
conversation_answer read_whole_conversation(postgres_connection& db, const get_conversation& ask);

} // namespace troupe

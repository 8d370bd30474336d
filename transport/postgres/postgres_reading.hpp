// Chats that are read piece by piece, beside the writes.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "messages/store/store_port.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// The connections of a store's readings: each reading has one for itself, so that all of its
/// pieces see one state of the database. Any thread; outlives the readings.
class postgres_readers {
public:
  /// @param node of this process
  postgres_readers(postgres_place at, uint64_t node) : at_{std::move(at)}, node_{node} {}

  /// Begins to read a chat.
  std::unique_ptr<chat_reading> begin(const load_chat& ask);

  /// Takes a connection back that is in no transaction.
  void give(std::unique_ptr<postgres_connection> used);

private:
  std::unique_ptr<postgres_connection> take();

  postgres_place at_;
  uint64_t node_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<postgres_connection>> idle_; ///< to open one takes a millisecond
};

/// Begins a transaction that only reads: all its statements see one state of the database.
void begin_reading(postgres_connection& db);

/// Reads all that a session needs of its chat; within a transaction. version 0: there is no chat
/// @param node of this process
chat_record read_whole_chat(postgres_connection& db, const load_chat& ask, uint64_t node);

/// Reads a whole conversation; within a transaction.
conversation_answer read_whole_conversation(postgres_connection& db, const get_conversation& ask);

} // namespace troupe

// Chats that are read piece by piece, beside the writes.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "messages/store/store_port.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// The connections of a store's readings: each reading has one for itself, so that all of its
/// pieces see one state of the database. Any thread; outlives the readings.
class sqlite_readers {
public:
  explicit sqlite_readers(sqlite_place at) : at_{std::move(at)} {}

  /// Begins to read a chat. @param why set when nullptr comes back
  std::unique_ptr<chat_reading> begin(const load_chat& ask, failure& why);

  /// Takes a connection back that is in no transaction.
  void give(std::unique_ptr<sqlite_connection> used);

private:
  std::unique_ptr<sqlite_connection> take(failure& why);

  sqlite_place at_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<sqlite_connection>> idle_; ///< to open one takes longer than a read
};

} // namespace troupe

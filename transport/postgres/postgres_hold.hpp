// One server at a time on a database.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// Holds the lock of this node, and unless nodes share the database that of the whole database.
/// Locks end with their connection: after a crash the next server need not wait. Any thread.
class postgres_hold {
public:
  /// @param alone no other server may use the database
  postgres_hold(postgres_place at, uint64_t node, bool alone)
      : db_{std::move(at)}, node_{node}, alone_{alone} {}

  /// Takes the lock; a server that has just ended may have it for a moment. store_locked: another
  /// server has it. @param longest how long that is waited for
  failure take(std::chrono::milliseconds longest);

  /// Returns why this process does not hold the database any more. Takes the lock again if the
  /// connection was lost and nobody else has it. Cheap while all is well.
  failure check();

private:
  failure try_once(bool& out);

  std::mutex mutex_;
  postgres_connection db_;
  uint64_t node_;
  bool alone_;
};

} // namespace troupe

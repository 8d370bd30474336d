// Moves the log of writes into the database, beside the writes.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// A thread that moves what is committed from the log of writes (WAL) into the database file, and
/// waits for the disk while it does. It keeps nobody from reading or writing; the log begins anew
/// when all of it was moved and nobody writes for a moment. The thread starts when it is first
/// needed. Any thread.
class sqlite_log_mover {
public:
  explicit sqlite_log_mover(sqlite_place at) : at_{std::move(at)} {}
  /// Waits for the present move, a second or so at the longest.
  ~sqlite_log_mover();
  sqlite_log_mover(const sqlite_log_mover&) = delete;
  sqlite_log_mover& operator=(const sqlite_log_mover&) = delete;

  /// Has the log moved soon. Cheap. @return false: there is no thread for it, now move it yourself
  bool wake();

private:
  void run();
  void move() const;

  sqlite_place at_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false;
  bool over_ = false;
  std::thread thread_;
};

} // namespace troupe

#include "transport/sqlite/sqlite_log_mover.hpp"

#include <sqlite3.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "transport/signals_blocked.hpp"

namespace troupe {

namespace {

/// While much is written, each move waits for a while, so that it finds more to do at once.
constexpr std::chrono::milliseconds rest{250};

/// The most rounds of a move: rows that were written during one are moved by the next, so that the
/// log can begin again.
constexpr int most_rounds = 4;

} // namespace

sqlite_log_mover::~sqlite_log_mover() {
  {
    const std::lock_guard guard{mutex_};
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

bool sqlite_log_mover::wake() {
  const std::lock_guard guard{mutex_};
  if (std::exchange(wanted_, true))
    return true;
  changed_.notify_all();
  if (thread_.joinable())
    return true;
  const signals_blocked block;
  try {
    thread_ = std::thread{[this] { run(); }};
  } catch (const std::system_error&) {
    wanted_ = false;
    return false;
  }
  return true;
}

void sqlite_log_mover::run() {
  std::unique_lock guard{mutex_};
  for (;;) {
    changed_.wait(guard, [this] { return wanted_ || over_; });
    if (over_)
      return;
    guard.unlock();
    move();
    guard.lock();
    wanted_ = false; // what was written since then wakes us again
    changed_.wait_for(guard, rest, [this] { return over_; });
  }
}

/// Errors are met by the next write, too. The connection lives only for the move: so the database
/// closes with its users.
void sqlite_log_mover::move() const {
  failure unimportant;
  const auto db = sqlite_connection::open(at_, unimportant);
  // Only a connection that has read something knows that there is a log.
  if (!db || db->execute("SELECT 1 FROM sqlite_schema LIMIT 1"))
    return;
  int pages = 1;
  int moved = 0;
  for (int round = 0; round < most_rounds && moved < pages; ++round)
    if (sqlite3_wal_checkpoint_v2(db->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages,
                                  &moved) != SQLITE_OK)
      return;
}

} // namespace troupe

// Conversations in a SQLite database: the default backend behind messages/store/store_port.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "messages/store/store_port.hpp"

namespace troupe {

/// Options of a database; only tests and benchmarks change others than the quota.
struct sqlite_options {
  int64_t (*now_ms)() = nullptr;    ///< milliseconds since 1970; nullptr: the system's clock
  int busy_ms = 5000;               ///< longest wait for another connection's transaction
  const char* statements = nullptr; ///< SQL that each new connection runs first
  int question_ms = 2000;           ///< longest time of list, search, get and used
  owner_quota quota = {};           ///< of each owner
};

/// Turns off SQLite's memory statistics, so that its allocations take no lock. For the main program
/// only, before any thread uses SQLite: from then on sqlite3_memory_used() and heap limits have no
/// effect in this process.
void leave_sqlite_memory_uncounted();

/// Opens the database `troupe.db` in `folder` for a server, and holds the folder until the port is
/// destroyed; its connections must be gone by then.
///
/// Makes the folder (mode 0700) and the file (0600), refuses an existing folder or file that is not
/// this user's own or that others may replace (private_files.hpp), brings an older schema up to
/// date, and sets a damaged file aside as `troupe.db.damaged-YYYYMMDD-HHMMSS` (see
/// store_port::notice). Blocks; any thread.
///
/// @param why set when nullptr comes back: store_locked when another process holds the folder,
/// store_newer, store_full, store_read_only, store_failed; its text says what to do
std::unique_ptr<store_port> open_sqlite_store(const std::string& folder, failure& why,
                                              const sqlite_options& options = {});

/// Opens the same database beside a running server, for keys and settings: does not hold the
/// folder, sets nothing aside. Makes the database if there is none; brings an older schema up to
/// date unless another process holds the folder. Else as open_sqlite_store; store_damaged too.
std::unique_ptr<store_port> open_sqlite_keys(const std::string& folder, failure& why,
                                             const sqlite_options& options = {});

} // namespace troupe

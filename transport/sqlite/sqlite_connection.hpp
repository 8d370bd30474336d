// One handle of a database, with its prepared statements and its transaction.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "messages/errors.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace troupe {

/// How a database is opened.
struct sqlite_place {
  std::string path;        ///< of the database; its file must exist
  std::string damage_mark; ///< a file that is made when the database is found to be damaged
  int busy_ms = 5000;      ///< so long a call waits for another connection's transaction
  int question_ms = 2000;  ///< so long what is within a sqlite_deadline may take
};

/// Owns a handle of a database. One thread at a time.
class sqlite_connection {
public:
  /// @param why set when nullptr comes back
  static std::unique_ptr<sqlite_connection> open(const sqlite_place& at, failure& why);

  ~sqlite_connection();
  sqlite_connection(const sqlite_connection&) = delete;
  sqlite_connection& operator=(const sqlite_connection&) = delete;

  /// Runs statements that bind nothing and whose rows nobody wants.
  failure execute(const char* statements);

  /// Returns the statement, prepared at its first use and kept; nullptr: see failed().
  /// @param sql a literal: its address is what it is known by
  sqlite3_stmt* prepared(const char* sql);

  // -- the transaction ---------------------------------------------------------------------------
  /// Begins one that may write; waits for that of another connection.
  failure begin();
  /// Begins one that only reads: all its statements see one state of the database.
  failure begin_reading();
  failure commit();
  void roll_back();
  bool in_transaction() const;
  /// Returns how many rows were written, ever.
  int64_t rows_written() const;
  /// Returns the number of the row that was inserted last.
  int64_t last_row() const;
  /// Returns a number that stays as long as rows are what this connection wrote or read last: it
  /// changes with a transaction that was rolled back, and with one that finds at its begin that
  /// another connection has written.
  uint64_t epoch() const { return epoch_; }

  // -- errors ------------------------------------------------------------------------------------
  /// Says what is being done, for the texts of failures. @param what a literal: "save a chat"
  void doing(const char* what) { doing_ = what; }
  /// Remembers what errno became in a call that failed.
  void failed_with(int system_errno) { system_errno_ = system_errno; }
  /// Returns what the last call failed with.
  failure failed();

  sqlite3* handle() const { return handle_; }

private:
  friend class sqlite_deadline;
  explicit sqlite_connection(const sqlite_place& at) : place_{at} {}

  uint32_t data_version() const;

  sqlite_place place_;
  const char* doing_ = "open the database";
  sqlite3* handle_ = nullptr;
  int system_errno_ = 0;
  bool writing_ = false;      ///< within begin()
  uint32_t last_version_ = 0; ///< data_version() after the last commit
  uint64_t epoch_ = 0;
  std::chrono::steady_clock::time_point until_; ///< see sqlite_deadline
  std::unordered_map<const void*, sqlite3_stmt*> statements_;
};

/// While it lives the connection's statements end with store_timeout when they take too long
/// together (sqlite_place::question_ms). One at a time.
class sqlite_deadline {
public:
  explicit sqlite_deadline(sqlite_connection& db);
  ~sqlite_deadline();
  sqlite_deadline(const sqlite_deadline&) = delete;
  sqlite_deadline& operator=(const sqlite_deadline&) = delete;

private:
  sqlite_connection& db_;
};

} // namespace troupe

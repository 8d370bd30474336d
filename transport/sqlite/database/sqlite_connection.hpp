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
  std::string damage_mark; ///< a file that is made when damage is found in the database
  int busy_ms = 5000;      ///< longest wait for another connection's transaction
  int question_ms = 2000;  ///< longest time of the statements within a sqlite_deadline
};

/// Owns a handle of a database. One thread at a time.
class sqlite_connection {
public:
  /// @param why set when nullptr comes back
  static std::unique_ptr<sqlite_connection> open(const sqlite_place& at, failure& why);

  ~sqlite_connection();
  sqlite_connection(const sqlite_connection&) = delete;
  sqlite_connection& operator=(const sqlite_connection&) = delete;

  /// Runs statements without parameters; their rows are dropped.
  failure execute(const char* statements);

  /// Returns the statement, prepared at its first use and kept; nullptr: see failed().
  /// @param sql a literal: its address is the key
  sqlite3_stmt* prepared(const char* sql);

  // -- the transaction ---------------------------------------------------------------------------
  /// Begins a transaction that may write; waits for another connection's.
  failure begin();
  /// Begins a transaction that only reads: all its statements see one state of the database.
  failure begin_reading();
  failure commit();
  void roll_back();
  bool in_transaction() const;
  /// Returns how many rows this connection has written.
  int64_t rows_written() const;
  /// Returns the number of the row that was inserted last.
  int64_t last_row() const;
  /// Returns a number that stays the same while this connection's view of rows is valid. It changes
  /// with a rolled-back transaction, and with a begin() that finds writes of another connection.
  uint64_t epoch() const { return epoch_; }

  // -- errors ------------------------------------------------------------------------------------
  /// Names the present task for the texts of failures. @param what a literal: "save a chat"
  void doing(const char* what) { doing_ = what; }
  /// Stores the errno of a failed call.
  void failed_with(int system_errno) { system_errno_ = system_errno; }
  /// Returns the failure of the last call.
  failure failed();

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return place_.path; }
  /// Returns whether path() is another file by now, or none.
  bool has_moved() const;

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

/// While it lives, the connection's statements end with store_timeout when together they take
/// longer than sqlite_place::question_ms. One at a time.
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

#include "transport/sqlite/database/sqlite_connection.hpp"

#include <fcntl.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

#include "transport/descriptor.hpp"
#include "transport/sqlite/database/sqlite_errors.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"

namespace troupe {

namespace {

/// How long the n-th wait for a lock is. Our transactions last a millisecond or two; the steps of
/// SQLite's own busy handler are longer.
std::chrono::microseconds pause(int tries) {
  constexpr int widest_us = 10'000;
  return std::chrono::microseconds{std::min(widest_us, 100 << std::min(tries, 10))};
}

/// Waits while another connection writes. @param limit where the limit in milliseconds is
int wait_for_lock(void* limit, int tries) {
  thread_local std::chrono::steady_clock::time_point began;
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0)
    began = now;
  if (now - began >= std::chrono::milliseconds{*static_cast<int*>(limit)})
    return 0;
  std::this_thread::sleep_for(pause(tries));
  return 1;
}

} // namespace

std::unique_ptr<sqlite_connection> sqlite_connection::open(const sqlite_place& at, failure& why) {
  std::unique_ptr<sqlite_connection> made{new sqlite_connection{at}};
  // Without SQLITE_OPEN_CREATE: the file has been made already, with the right mode.
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(at.path.c_str(), &made->handle_, flags, nullptr) != SQLITE_OK) {
    why = made->failed();
    return nullptr;
  }
  sqlite3_busy_handler(made->handle_, wait_for_lock, &made->place_.busy_ms);
  return made;
}

sqlite_connection::~sqlite_connection() {
  for (auto& [sql, statement] : statements_)
    sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

failure sqlite_connection::execute(const char* statements) {
  errno = 0;
  if (sqlite3_exec(handle_, statements, nullptr, nullptr, nullptr) == SQLITE_OK)
    return {};
  failed_with(errno);
  return failed();
}

sqlite3_stmt* sqlite_connection::prepared(const char* sql) {
  auto& statement = statements_[sql];
  if (statement == nullptr)
    sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  return statement;
}

failure sqlite_connection::begin() {
  // IMMEDIATE: waits for the lock here. In mid-transaction it would be too late to wait.
  if (auto error = sqlite_query{*this, "BEGIN IMMEDIATE"}.run())
    return error;
  writing_ = true;
  if (data_version() != last_version_)
    ++epoch_;
  return {};
}

failure sqlite_connection::begin_reading() {
  return sqlite_query{*this, "BEGIN"}.run();
}

failure sqlite_connection::commit() {
  auto error = sqlite_query{*this, "COMMIT"}.run();
  if (error) {
    roll_back();
    return error;
  }
  writing_ = false;
  last_version_ = data_version();
  return {};
}

void sqlite_connection::roll_back() {
  if (in_transaction())
    sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  if (std::exchange(writing_, false))
    ++epoch_;
}

bool sqlite_connection::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

int64_t sqlite_connection::rows_written() const {
  return sqlite3_total_changes64(handle_);
}

int64_t sqlite_connection::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

bool sqlite_connection::has_moved() const {
  int moved = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

/// Changes with every commit of any connection, when this connection has seen the commit.
uint32_t sqlite_connection::data_version() const {
  uint32_t out = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_DATA_VERSION, &out);
  return out;
}

failure sqlite_connection::failed() {
  auto error = sqlite_failure(handle_, doing_, place_.path, system_errno_);
  if (error.code == errc::store_damaged && !place_.damage_mark.empty())
    descriptor{
        ::open(place_.damage_mark.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)};
  return error;
}

// -- deadlines ------------------------------------------------------------------------------------

sqlite_deadline::sqlite_deadline(sqlite_connection& db) : db_{db} {
  constexpr int steps_between = 1000; // some microseconds
  const auto is_over = [](void* until) {
    const auto* time = static_cast<std::chrono::steady_clock::time_point*>(until);
    return std::chrono::steady_clock::now() >= *time ? 1 : 0;
  };
  db.until_ = std::chrono::steady_clock::now() + std::chrono::milliseconds{db.place_.question_ms};
  sqlite3_progress_handler(db.handle_, steps_between, is_over, &db.until_);
}

sqlite_deadline::~sqlite_deadline() {
  sqlite3_progress_handler(db_.handle_, 0, nullptr, nullptr);
}

} // namespace troupe

#include "transport/sqlite/database/sqlite_query.hpp"

#include <sqlite3.h>

#include <cerrno>

namespace troupe {

sqlite_query::~sqlite_query() {
  if (statement_ == nullptr)
    return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_); // bound texts may be destroyed before the next use
}

bool sqlite_query::next() {
  if (failed_ || done_)
    return false; // SQLite would start the statement again
  errno = 0;
  const int result = sqlite3_step(statement_);
  failed_ = result != SQLITE_ROW && result != SQLITE_DONE;
  if (failed_)
    db_.failed_with(errno);
  done_ = result != SQLITE_ROW;
  return result == SQLITE_ROW;
}

int64_t sqlite_query::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view sqlite_query::view(int column) const {
  // The text first: the call may convert the value, which changes the number of bytes.
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto bytes = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return text == nullptr ? std::string_view{} : std::string_view{text, bytes};
}

void sqlite_query::bind(int at, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data(); // nullptr would be NULL
  check(sqlite3_bind_text64(statement_, at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void sqlite_query::bind(int at, int64_t number) {
  check(sqlite3_bind_int64(statement_, at, number));
}

void sqlite_query::check(int result) {
  failed_ = failed_ || result != SQLITE_OK;
}

} // namespace troupe

// One use of a prepared statement: bind, step, read columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// One use of a prepared statement, which is free again when the query ends. A statement has one
/// use at a time.
///
///     sqlite_query found{db, "SELECT name FROM owners WHERE id = ?1", 7};
///     while (found.next())
///       take(found.text(0));
///     if (auto error = found.error()) ...
class sqlite_query {
public:
  /// @param sql a literal
  /// @param values are bound in their order; texts must live as long as the query
  template <class... Ts>
  explicit sqlite_query(sqlite_connection& db, const char* sql, const Ts&... values)
      : db_{db}, statement_{db.prepared(sql)}, failed_{statement_ == nullptr} {
    int at = 0;
    (bind(++at, values), ...);
  }
  ~sqlite_query();
  sqlite_query(const sqlite_query&) = delete;
  sqlite_query& operator=(const sqlite_query&) = delete;

  /// Goes to the next row. Returns false after the last row (for good), or for an error().
  bool next();

  /// Runs the statement to its end; for statements without rows.
  failure run() {
    while (next())
      continue;
    return error();
  }

  failure error() const { return failed_ ? db_.failed() : failure{}; }

  // -- columns of the row, from 0 ----------------------------------------------------------------
  int64_t integer(int column) const;
  uint64_t natural(int column) const { return static_cast<uint64_t>(integer(column)); }
  /// Valid until the next row; "" for NULL.
  std::string_view view(int column) const;
  std::string text(int column) const { return std::string{view(column)}; }

private:
  void bind(int at, std::string_view text);
  void bind(int at, const std::string& text) { bind(at, std::string_view{text}); }
  void bind(int at, const char* text) { bind(at, std::string_view{text}); }
  void bind(int at, std::nullptr_t) { static_cast<void>(at); } // unbound parameters are NULL
  void bind(int at, int64_t number);
  template <class T>
  requires std::is_integral_v<T>
  void bind(int at, T number) { bind(at, static_cast<int64_t>(number)); }
  void check(int result);

  sqlite_connection& db_;
  sqlite3_stmt* statement_;
  bool failed_;
  bool done_ = false;
};

} // namespace troupe

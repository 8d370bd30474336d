// The rows that a statement came back with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct pg_result;

namespace troupe {

/// Goes through the rows of a result, whose columns are in binary form: numbers, truth values, and
/// bytes.
///
///     while (rows.next())
///       take(rows.integer(0), rows.view(1));
class postgres_rows {
public:
  postgres_rows() = default;
  /// @param from is owned
  explicit postgres_rows(pg_result* from) : held_{from} {}

  /// Goes to the next row; false after the last one.
  bool next() { return ++row_ < size(); }
  int size() const;

  // -- columns of the row, from 0 ----------------------------------------------------------------
  /// 0 for NULL.
  int64_t integer(int column) const;
  uint64_t natural(int column) const { return static_cast<uint64_t>(integer(column)); }
  /// Valid as long as the rows.
  std::string_view view(int column) const;
  std::string text(int column) const { return std::string{view(column)}; }

private:
  struct clear_result {
    void operator()(pg_result* what) const;
  };

  std::unique_ptr<pg_result, clear_result> held_;
  int row_ = -1;
};

} // namespace troupe

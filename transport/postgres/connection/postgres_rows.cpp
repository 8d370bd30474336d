#include "transport/postgres/connection/postgres_rows.hpp"

#include <libpq-fe.h>

namespace troupe {

void postgres_rows::clear_result::operator()(pg_result* what) const {
  PQclear(what);
}

int postgres_rows::size() const {
  return held_ ? PQntuples(held_.get()) : 0;
}

std::string_view postgres_rows::view(int column) const {
  return {PQgetvalue(held_.get(), row_, column),
          static_cast<size_t>(PQgetlength(held_.get(), row_, column))};
}

int64_t postgres_rows::integer(int column) const {
  const auto bytes = view(column);
  if (bytes.empty())
    return 0;
  // The sign stands in the first byte, however long the number is.
  int64_t out = static_cast<signed char>(bytes.front());
  for (const char each : bytes.substr(1))
    out = static_cast<int64_t>(static_cast<uint64_t>(out) << 8 | static_cast<unsigned char>(each));
  return out;
}

} // namespace troupe

#include "transport/sqlite/rows/change_order.hpp"

#include <algorithm>

#include "transport/sqlite/database/sqlite_query.hpp"

namespace troupe {

failure change_order::look() {
  if (last_ >= 0)
    return {};
  sqlite_query highest{db_, "SELECT max(place) FROM conversations"};
  const auto found = highest.next() ? highest.integer(0) : 0;
  if (auto error = highest.error())
    return error;
  last_ = found;
  return {};
}

failure change_order::next(int64_t now_ms, int64_t& out) {
  if (auto error = look())
    return error;
  last_ = out = now_ms >= last_ || last_ == INT64_MAX ? now_ms : last_ + 1;
  return {};
}

failure change_order::place_of(int64_t time_ms, int64_t now_ms, int64_t& out) {
  if (auto error = look())
    return error;
  if (time_ms >= now_ms)
    return next(now_ms, out);
  out = time_ms;
  last_ = std::max(last_, out);
  return {};
}

failure change_order::note(int64_t place) {
  auto error = look();
  if (!error)
    last_ = std::max(last_, place);
  return error;
}

} // namespace troupe

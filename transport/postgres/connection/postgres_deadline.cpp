#include "transport/postgres/connection/postgres_deadline.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// The slowest rate of a server that is not silent.
constexpr uint64_t least_bytes_per_second = uint64_t{1} << 20;

} // namespace

void postgres_deadline::limit(milliseconds most) {
  limit_ = most;
  end_ = clock::now() + most;
  expects_ = false;
}

/// Also the second time, of an answer that is asked for anew.
void postgres_deadline::expect(uint64_t bytes) {
  if (!is_limited() || is_used_up())
    return;
  expects_ = true;
  end_ = clock::now() + limit_ + milliseconds{bytes * 1000 / least_bytes_per_second};
}

bool postgres_deadline::has_used(unsigned percent) const {
  return is_limited() && clock::now() >= end_ - limit_ * (100 - percent) / 100;
}

void postgres_deadline::begin(milliseconds longest) {
  grows_ = expects_;
  until_ = is_limited() ? end_ : clock::now() + longest;
  if (grows_)
    until_ = std::min(end_, clock::now() + limit_);
}

void postgres_deadline::arrived() {
  if (grows_)
    until_ = std::min(end_, clock::now() + limit_);
}

void postgres_deadline::set(clock::time_point until) {
  grows_ = false;
  until_ = until;
}

void postgres_deadline::cancel(milliseconds rest) {
  end_ = clock::now();
  set(end_ + rest);
}

int postgres_deadline::time_left() const {
  const auto time = std::chrono::ceil<milliseconds>(until_ - clock::now());
  return static_cast<int>(std::max<int64_t>(time.count(), 0));
}

} // namespace troupe

#include "transport/descriptor_limit.hpp"

#include <algorithm>
#include <optional>

#include <sys/resource.h>

namespace troupe {

namespace {

std::optional<rlimit> found; // before the first change

} // namespace

size_t set_descriptor_limit(size_t wanted) noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  if (!found)
    found = limit;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

void restore_descriptor_limit() noexcept {
  if (found)
    ::setrlimit(RLIMIT_NOFILE, &*found);
}

} // namespace troupe

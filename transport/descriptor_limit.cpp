#include "transport/descriptor_limit.hpp"

#include <algorithm>
#include <optional>

#include <sys/resource.h>

namespace troupe {

namespace {

std::optional<rlimit> found; // before the first change

} // namespace

size_t set_descriptor_limit(size_t least, size_t most) noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  if (!found)
    found = limit;
  limit.rlim_cur = std::min(std::clamp<rlim_t>(limit.rlim_cur, least, most), limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

void restore_descriptor_limit() noexcept {
  if (found)
    ::setrlimit(RLIMIT_NOFILE, &*found);
}

} // namespace troupe

#include "transport/usable_memory.hpp"

#include <algorithm>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace troupe {

namespace {

size_t machine_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(page) : SIZE_MAX;
}

size_t address_space() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                              : SIZE_MAX;
}

/// Inside a container the root of the hierarchy is the container's own group.
size_t group_memory() {
  for (const auto* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream in{path};
    if (size_t bytes = 0; in >> bytes && bytes > 0) // "max" is no number
      return bytes;
  }
  return SIZE_MAX;
}

} // namespace

size_t usable_memory() {
  return std::min({machine_memory(), address_space(), group_memory()});
}

} // namespace troupe

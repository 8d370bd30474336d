#include "actors/session_hub/free_memory.hpp"

#include <cstddef>

#include <malloc.h>

/// jemalloc's; which allocator there is the program decides (docs/decisions/0020).
extern "C" __attribute__((weak)) int mallctl(const char* name, void* old_value, size_t* old_size,
                                             void* new_value, size_t new_size);

namespace troupe {

void give_back_free_memory() {
  if (mallctl != nullptr)
    mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0); // MALLCTL_ARENAS_ALL
  else
    malloc_trim(0);
}

} // namespace troupe

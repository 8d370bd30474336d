// How much memory the process may use.
#pragma once

#include <cstddef>

namespace troupe {

/// Returns the least of the machine's memory, the limit of the process's address space (`ulimit
/// -v`) and that of its control group (as containers have it), in bytes. Reads files, so it may
/// block. Any thread.
size_t usable_memory();

} // namespace troupe

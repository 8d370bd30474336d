// Memory that nobody uses any more.
#pragma once

namespace troupe {

/// Gives what the allocator keeps for later back to the system: that of jemalloc where the program
/// has it, else that of glibc. May take milliseconds. Any thread.
void give_back_free_memory();

} // namespace troupe

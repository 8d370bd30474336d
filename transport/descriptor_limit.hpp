// The bound of open descriptors of the process.
#pragma once

#include <cstddef>

namespace troupe {

/// Moves the soft limit of this process to `least` if it is lower, to `most` if it is higher, as
/// far as the hard limit allows. Returns the new limit. Call it before loops and servers begin.
/// With too low a limit clients are not accepted: 1,024 is common. Too high a limit costs time at
/// the end of each connection: libwebsockets searches a table with an entry for every possible
/// descriptor, a million in many containers.
size_t set_descriptor_limit(size_t least, size_t most) noexcept;

/// Restores the old limit, in a child that will execute another program: some programs assume that
/// their descriptors are below 1,024. Async-signal-safe.
void restore_descriptor_limit() noexcept;

} // namespace troupe

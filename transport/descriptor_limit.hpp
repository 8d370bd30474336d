// How many descriptors the process may have open.
#pragma once

#include <cstddef>

namespace troupe {

/// Moves the soft limit of this process to `least` if it is lower, to `most` if it is higher, as
/// far as the hard limit allows, and returns what it is then. Call it before loops and servers
/// begin. Too low, and clients are not accepted: 1,024 is common. Too high, and each of them costs:
/// at the end of a connection libwebsockets looks through a table of as many entries as there may
/// be descriptors, which is a million in many containers.
size_t set_descriptor_limit(size_t least, size_t most) noexcept;

/// Undoes it, in a child that is to become another program: some still take it that the
/// descriptors they wait for are below 1,024. Async-signal-safe.
void restore_descriptor_limit() noexcept;

} // namespace troupe

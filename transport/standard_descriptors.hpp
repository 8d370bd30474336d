// Descriptors 0 to 2 of a process that was started without them.
#pragma once

#include <fcntl.h>

#include <array>

namespace troupe {

/// Opens /dev/null for 0, 1 and 2 where they are closed, in the wrong direction, so that using them
/// still fails. Without this the next socket or database would get such a number, and printed text
/// would go there. For main(), before anything is opened.
inline void hold_standard_descriptors() noexcept {
  constexpr std::array modes{O_WRONLY, O_RDONLY, O_RDONLY}; // of 0, 1 and 2
  for (int fd = 0; fd < static_cast<int>(modes.size()); ++fd)
    if (::fcntl(fd, F_GETFD) < 0)
      ::open("/dev/null", modes.at(static_cast<size_t>(fd))); // gets the lowest free number
}

} // namespace troupe

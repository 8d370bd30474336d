// Descriptors 0 to 2 of a process that was started without them.
#pragma once

#include <fcntl.h>

#include <array>

namespace troupe {

/// Gives 0, 1 and 2 to /dev/null where they are closed, the wrong way round, so that using them
/// still fails: else the next socket or database gets such a number, and what is printed goes
/// there. For main(), before anything is opened.
inline void hold_standard_descriptors() noexcept {
  constexpr std::array modes{O_WRONLY, O_RDONLY, O_RDONLY}; // of 0, 1 and 2
  for (int fd = 0; fd < static_cast<int>(modes.size()); ++fd)
    if (::fcntl(fd, F_GETFD) < 0)
      ::open("/dev/null", modes.at(static_cast<size_t>(fd))); // the lowest number that is free
}

} // namespace troupe

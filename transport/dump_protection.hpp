// Secrets of this process, kept from other programs of the same user.
#pragma once

#include <sys/prctl.h>

#include <cstdlib>
#include <string_view>

namespace troupe {

/// Has the kernel refuse other processes of the same user this one's environment, memory and
/// descriptors (/proc, ptrace), and write no core file. The process' forks have the same; programs
/// that it executes have not. Root may look nevertheless. With TROUPE_DUMPABLE=1 in the environment
/// everything is as usual. It is for programs, first in main(), and again after a change of user,
/// with which the kernel decides anew; a library must leave the program's process as it is.
inline void protect_from_dumps() noexcept {
  const char* wanted = std::getenv("TROUPE_DUMPABLE");
  const bool allowed = wanted != nullptr && std::string_view{wanted} == "1";
  ::prctl(PR_SET_DUMPABLE, allowed ? 1 : 0, 0, 0, 0);
}

} // namespace troupe

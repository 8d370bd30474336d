#include "apps/troupe/chat/piped_input.hpp"

#include <cerrno>
#include <cstdio>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace troupe {

bool has_piped_input() {
  struct stat found {};
  return fstat(STDIN_FILENO, &found) == 0 &&
         (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || S_ISREG(found.st_mode));
}

std::string read_piped_input() {
  constexpr int patience_ms = 3000;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, patience_ms) == 0 && isatty(STDIN_FILENO) == 0)
    std::fputs("troupe: waiting for the end of standard input; </dev/null goes on without it\n",
               stderr);
  std::string out;
  char bytes[65536];
  for (;;) {
    const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count > 0)
      out.append(bytes, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR))
      return out;
  }
}

} // namespace troupe

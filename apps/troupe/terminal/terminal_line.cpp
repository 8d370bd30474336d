#include "apps/troupe/terminal/terminal_line.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace troupe {

namespace {

/// Ends the prompt's line, so that later output begins on a new one.
bool leave() {
  fmt::print(stderr, "\n");
  return false;
}

} // namespace

bool read_terminal_line(const std::string& prompt, std::string& line,
                        const std::function<bool()>& over) {
  constexpr int look_ms = 100;
  fmt::print(stderr, "{}", prompt);
  line.clear();
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, look_ms) == 0) {
      if (over())
        return leave();
      continue;
    }
    char c = 0;
    if (::read(STDIN_FILENO, &c, 1) != 1)
      return leave();
    if (c == '\n')
      return true;
    line.push_back(c);
  }
}

} // namespace troupe

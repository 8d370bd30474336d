#include "apps/troupe/terminal/terminal_line.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "messages/ascii_case.hpp"

namespace troupe {

namespace {

/// Ends the prompt's line, so that later output begins on a new one.
bool leave() {
  fmt::print(stderr, "\n");
  return false;
}

/// Returns what a line says; nothing if it is neither yes nor no.
std::optional<bool> yes_or_no(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  line = line.substr(0, line.find_last_not_of(blanks) + 1);
  const auto is = [line](std::string_view word) { return same_ignoring_case(line, word); };
  if (is("y") || is("yes"))
    return true;
  if (line.empty() || is("n") || is("no"))
    return false;
  return std::nullopt;
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

bool ask_yes_or_no(const std::string& prompt, const std::function<bool()>& over) {
  std::string line;
  for (auto shown = prompt; read_terminal_line(shown, line, over);) {
    if (const auto said = yes_or_no(line))
      return *said;
    shown = "Answer yes or no: [y/N] ";
  }
  return false;
}

} // namespace troupe

#include "apps/troupe/terminal/terminal_output.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

/// Returns at most so many columns of a cell. One with sequences for the terminal stays whole.
std::string cut(const std::string& cell, size_t most) {
  return cell.find('\x1b') == cell.npos ? shortened(cell, most) : cell;
}

} // namespace

void print_table(const table_row& heads, const std::vector<table_row>& rows) {
  if (rows.empty())
    return;
  auto widths = std::vector<size_t>(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) {
    widths[i] = heads[i].size();
    for (const auto& each : rows)
      widths[i] = std::max(widths[i], text_width(each[i]));
  }
  constexpr size_t least = 20;
  const auto all = columns_of(STDOUT_FILENO, SIZE_MAX);
  const auto before = std::accumulate(widths.begin(), widths.end() - 1, 2 * (widths.size() - 1));
  const auto room = std::max(least, all > before ? all - before : 0);
  auto print = [&](const table_row& cells) {
    for (size_t i = 0; i + 1 < cells.size(); ++i)
      fmt::print("{}{}", cells[i], std::string(widths[i] + 2 - text_width(cells[i]), ' '));
    fmt::print("{}\n", cut(cells.back(), room));
  };
  print(heads);
  for (const auto& each : rows)
    print(each);
}

size_t columns_of(int fd, size_t otherwise) {
  winsize size{};
  const auto known = isatty(fd) != 0 && ioctl(fd, TIOCGWINSZ, &size) == 0;
  return known && size.ws_col > 0 ? size.ws_col : otherwise;
}

std::string for_stdout(std::string text) {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  return terminal ? terminal_text(text, true) : std::move(text);
}

} // namespace troupe

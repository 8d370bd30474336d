#include "apps/troupe/terminal/terminal_output.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

/// Returns at most this many columns of a cell. One with sequences for the terminal stays whole.
std::string cut(const std::string& cell, size_t most) {
  return cell.find('\x1b') == cell.npos ? shortened(cell, most) : cell;
}

/// Makes the widest columns narrower until all fit; the first one, which names the row, stays.
void fit(std::vector<size_t>& widths, size_t columns) {
  constexpr size_t least = 20;
  const auto gaps = 2 * (widths.size() - 1);
  auto all = std::accumulate(widths.begin(), widths.end(), gaps);
  while (all > columns && widths.size() > 1) {
    auto widest = std::max_element(widths.begin() + 1, widths.end());
    if (*widest <= least)
      return;
    const auto less = std::min(all - columns, *widest - least);
    *widest -= less;
    all -= less;
  }
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
  fit(widths, columns_of(STDOUT_FILENO, SIZE_MAX));
  auto print = [&](const table_row& cells) {
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      const auto cell = cut(cells[i], widths[i]);
      fmt::print("{}{}", cell, std::string(widths[i] + 2 - text_width(cell), ' '));
    }
    fmt::print("{}\n", cut(cells.back(), widths.back()));
  };
  print(heads);
  for (const auto& each : rows)
    print(each);
}

void print_rows(std::string_view none, const table_row& heads, const std::vector<table_row>& rows) {
  if (rows.empty())
    fmt::print(stderr, "{}\n", none);
  else
    print_table(heads, rows);
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

bool write_out(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return std::ferror(stdout) == 0;
}

} // namespace troupe

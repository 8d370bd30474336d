#include "apps/troupe/terminal/terminal_output.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

void print_table(const table_row& heads, const std::vector<table_row>& rows) {
  if (rows.empty())
    return;
  auto widths = std::vector<size_t>(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) {
    widths[i] = heads[i].size();
    for (const auto& each : rows)
      widths[i] = std::max(widths[i], text_width(each[i]));
  }
  auto print = [&](const table_row& cells) {
    for (size_t i = 0; i + 1 < cells.size(); ++i)
      fmt::print("{}{}", cells[i], std::string(widths[i] + 2 - text_width(cells[i]), ' '));
    fmt::print("{}\n", cells.back());
  };
  print(heads);
  for (const auto& each : rows)
    print(each);
}

std::string for_stdout(std::string text) {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  return terminal ? terminal_text(text, true) : std::move(text);
}

} // namespace troupe

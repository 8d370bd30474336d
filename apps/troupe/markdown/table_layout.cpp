#include "apps/troupe/markdown/table_layout.hpp"

#include <algorithm>
#include <numeric>

namespace troupe {

namespace {

std::string painted_cell(const styled_text& cell) {
  std::string out;
  for (const auto& run : cell)
    out += painted(run.text, run.style);
  return out;
}

std::vector<size_t> widths_of(const table_rows& rows) {
  std::vector<size_t> out;
  for (const auto& row : rows) {
    out.resize(std::max(out.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      out[i] = std::max(out[i], width_of(row[i]));
  }
  return out;
}

std::vector<std::string> in_columns(const table_rows& rows, const std::vector<size_t>& widths) {
  std::vector<std::string> out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += painted_cell(row[i]);
      if (i + 1 < row.size())
        line += std::string(widths[i] + 2 - width_of(row[i]), ' ');
    }
    out.push_back(std::move(line));
    if (out.size() > 1)
      continue;
    std::string rule;
    for (size_t i = 0; i < widths.size(); ++i) {
      for (size_t j = 0; j < widths[i]; ++j)
        rule += "─";
      rule += i + 1 < widths.size() ? "  " : "";
    }
    out.push_back(painted(rule, style_dim));
  }
  return out;
}

std::vector<std::string> as_lists(const table_rows& rows, size_t columns) {
  std::vector<std::string> out;
  for (size_t r = 1; r < rows.size(); ++r) {
    if (r > 1)
      out.emplace_back();
    for (size_t i = 0; i < rows[r].size(); ++i) {
      auto line = i < rows[0].size() ? rows[0][i] : styled_text{};
      line.push_back({": ", style_plain});
      line.insert(line.end(), rows[r][i].begin(), rows[r][i].end());
      for (auto& each : wrapped(line, columns))
        out.push_back(std::move(each));
    }
  }
  return out;
}

} // namespace

std::vector<std::string> table_lines(const table_rows& rows, size_t columns) {
  const auto widths = widths_of(rows);
  const auto all = std::accumulate(widths.begin(), widths.end(), 2 * widths.size());
  if (all <= columns + 2 || rows.size() < 2)
    return in_columns(rows, widths);
  return as_lists(rows, columns);
}

} // namespace troupe

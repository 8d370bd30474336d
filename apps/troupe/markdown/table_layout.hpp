// A table at a terminal.
#pragma once

#include <string>
#include <vector>

#include "apps/troupe/markdown/styled_text.hpp"

namespace troupe {

/// The rows of a table; the first one are its heads.
using table_rows = std::vector<std::vector<styled_text>>;

/// Returns the lines of a table: cells in columns where they fit, else each row as lines of
/// "head: cell".
std::vector<std::string> table_lines(const table_rows& rows, size_t columns);

} // namespace troupe

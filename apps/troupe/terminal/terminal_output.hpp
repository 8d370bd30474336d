// Output for people: tables, and text from outside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns how many characters there are, for columns.
size_t characters(std::string_view text);

/// The cells of a table's row.
using table_row = std::vector<std::string>;

/// Prints a table; nothing if it has no rows. Columns are as wide as their longest cell, but the
/// last one is not padded. Cells are terminal_text(), except for sequences that make them bold.
void print_table(const table_row& heads, const std::vector<table_row>& rows);

/// Returns the text as stdout takes it: terminal_text() lines for a terminal, as it is for a file
/// or a pipe.
std::string for_stdout(std::string text);

} // namespace troupe

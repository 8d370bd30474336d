// Output for people: tables, and text from outside.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace troupe {

/// The cells of a table's row.
using table_row = std::vector<std::string>;

/// Prints a table; nothing if it has no rows. Columns are as wide as their widest cell, but the
/// last one is not padded, and on a terminal cut at its edge. Cells are terminal_text(), except for
/// sequences that make them bold.
void print_table(const table_row& heads, const std::vector<table_row>& rows);

/// Returns how many columns a terminal has. @param fd of it
/// @param otherwise where it is no terminal, or does not say
size_t columns_of(int fd, size_t otherwise);

/// Returns the text as stdout takes it: terminal_text() lines for a terminal, as it is for a file
/// or a pipe.
std::string for_stdout(std::string text);

} // namespace troupe

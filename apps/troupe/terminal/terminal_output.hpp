// Output for people: tables, and text from outside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The cells of a table's row.
using table_row = std::vector<std::string>;

/// Prints a table; nothing if it has no rows. Columns are as wide as their widest cell, and on a
/// terminal the widest are cut so that lines fit; the first one, which names the row, never is.
/// Cells are terminal_text(), except for sequences that make them bold.
void print_table(const table_row& heads, const std::vector<table_row>& rows);

/// Prints a table, or on stderr that it has no rows. @param none a sentence
void print_rows(std::string_view none, const table_row& heads, const std::vector<table_row>& rows);

/// Returns how many columns a terminal has. @param fd of it
/// @param otherwise where it is no terminal, or does not say
size_t columns_of(int fd, size_t otherwise);

/// Returns the text as stdout takes it: terminal_text() lines for a terminal, as it is for a file
/// or a pipe.
std::string for_stdout(std::string text);

/// Writes a text to stdout at once. Returns whether stdout has taken it and all before: its reader
/// may be gone, or the disk full. Not from two threads at once.
bool write_out(std::string_view text);

} // namespace troupe

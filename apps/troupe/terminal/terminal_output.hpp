// Output for people: tables, and text that others wrote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns how many characters there are, for columns.
size_t characters(std::string_view text);

using table_row = std::vector<std::string>;

/// Prints columns as wide as their longest cell, but for the last, which is as long as it is, and
/// nothing if there are no rows. Cells are terminal_text() but for what makes them bold.
void print_table(const table_row& heads, const std::vector<table_row>& rows);

/// Returns the text as stdout takes it: terminal_text() lines for a terminal, as it is for a file
/// or a pipe.
std::string for_stdout(std::string text);

} // namespace troupe

// Pieces of HTML. Everything that is put in is escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe::bench {

/// Returns text as it may stand between tags and in quoted attributes.
std::string html_escaped(std::string_view text);

/// Returns JSON as it may stand in a script element: no tag can end or begin in it.
std::string json_in_html(std::string_view json);

/// Returns a table whose first row has the heads. @param marked the row that stands out, from 1; 0:
/// none
std::string html_table(const std::vector<std::vector<std::string>>& rows, size_t marked = 0);

/// Returns a table of names and what is to be said of them.
std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts);

} // namespace troupe::bench

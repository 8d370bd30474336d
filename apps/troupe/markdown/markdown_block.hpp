// A block of Markdown, as a terminal shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Returns lines for a terminal: paragraphs, headings, lists, quotes, tables, code, rules;
/// CommonMark with the tables, tasks and struck text of GitHub. The address of a link stands after
/// its text. HTML is text. @param markdown as a model wrote it; what could steer a terminal is
/// taken out
/// @param columns of the terminal
std::string rendered_markdown(std::string_view markdown, size_t columns);

/// Returns a line of a block of code. @param line without its end, as a model wrote it
std::string rendered_code_line(std::string_view line);

/// Returns the line that opens or closes a block of code, as a model wrote it.
std::string rendered_fence(std::string_view line);

} // namespace troupe

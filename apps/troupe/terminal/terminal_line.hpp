// A line that a person types.
#pragma once

#include <functional>
#include <string>

namespace troupe {

/// Prints a prompt on stderr and reads a line from the terminal, without its end.
/// @param over asked ten times a second; true: the line is no longer needed
/// @return false when it is over, or at the end of the input (Ctrl-D)
bool read_terminal_line(const std::string& prompt, std::string& line,
                        const std::function<bool()>& over);

} // namespace troupe

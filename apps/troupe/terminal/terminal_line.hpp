// A line that a person types, and a yes or no.
#pragma once

#include <functional>
#include <string>

namespace troupe {

/// Prints a prompt on stderr and reads a line from the terminal, without its end.
/// @param over asked ten times a second; true: the line is no longer needed
/// @return false when it is over, or at the end of the input (Ctrl-D)
bool read_terminal_line(const std::string& prompt, std::string& line,
                        const std::function<bool()>& over);

/// Asks until the line is y, yes, n, no (in capitals, too, with blanks around it) or empty: no.
/// @param prompt, over as above @return false also when it is over
bool ask_yes_or_no(const std::string& prompt, const std::function<bool()>& over);

} // namespace troupe

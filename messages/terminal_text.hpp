// Text of others on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the text without the characters that could steer a terminal: the control characters
/// U+0000 to U+001F and U+007F to U+009F, and the marks that change the direction of text (U+202A
/// to U+202E, U+2066 to U+2069), which can make a command look like another one. Line ends and tabs
/// become blanks. Any thread.
/// @param lines keep line ends and tabs
std::string terminal_text(std::string_view text, bool lines = false);

} // namespace troupe

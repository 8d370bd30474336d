// How wide a text is at a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Returns how many columns a terminal takes for a line: two for a Chinese, Japanese or Korean
/// character and for an emoji, none for an accent that stands over the character before it. Broken
/// UTF-8 counts as U+FFFD. @param text terminal_text()
size_t text_width(std::string_view text);

/// Returns the line with at most `columns`: if it is wider, its beginning and "...". What is seen
/// as one character is not cut: an accent stays with its letter, an emoji of several parts whole.
/// @param text terminal_text() @param columns at least 3
std::string shortened(std::string_view text, size_t columns);

} // namespace troupe

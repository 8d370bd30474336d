// Where in a text a person sees a character begin and end (a grapheme cluster of Unicode).
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Returns the last place before `at` where a character begins that is seen as one: an emoji of
/// several parts, a flag, a letter with its accents. 0 at the beginning. @param text UTF-32
size_t seen_character_begin(std::wstring_view text, size_t at);

/// Returns the first place after `at` where one ends; the text's end, if there is none.
size_t seen_character_end(std::wstring_view text, size_t at);

} // namespace troupe

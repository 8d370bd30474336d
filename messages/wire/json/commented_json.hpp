// JSON as people write it in files: with comments, trailing commas and a byte order mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the text with blanks in place of a byte order mark, of comments (// and /* */) and of
/// one comma after the last member or element of each object and array. Line ends stay, and every
/// other byte stays where it is. Whether the result is JSON is not checked: a comment without an
/// end, or a comma without a value, is left as it is. One pass, no recursion. Any thread.
std::string plain_json(std::string_view text);

/// A place in a text for people: lines and characters, counted from 1.
struct text_place {
  size_t line = 1;
  size_t column = 1;
};

/// Returns the place of a byte. A byte order mark does not count; a byte after the end is the end.
text_place place_of(std::string_view text, size_t at);

} // namespace troupe

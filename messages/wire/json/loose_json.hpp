// JSON as models write it: not quite right, but with one reading.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// The deviations from JSON in an object.
struct loose_marks {
  bool raw_controls = false;   ///< line breaks, tabs and the like stand in strings as they are
  bool single_quotes = false;  ///< strings in 'single quotes', or \' in others
  bool python_words = false;   ///< True, False, None
  bool trailing_comma = false; ///< before a closing bracket
};

/// An object that was read loosely.
struct loose_object {
  std::string json; ///< the same object as strict JSON (RFC 8259)
  size_t bytes = 0; ///< of the text
  loose_marks marks;
};

/// Reads the object at the start of `text`, which begins with '{'. Returns nothing for one that has
/// no end, or more than one reading: a string with an unescaped quote in it, keys without quotes,
/// escapes that JSON does not know. One pass and a check of the result, no recursion. Any thread.
std::optional<loose_object> read_loose_object(std::string_view text);

} // namespace troupe

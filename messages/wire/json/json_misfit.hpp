// A fault of a JSON value that comes from outside, with its place.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// A fault of a value, and its place in the value.
struct json_misfit {
  std::string place; ///< "messages[3].role"; empty: the value itself
  std::string what;  ///< "must be a string"; empty: no fault

  explicit operator bool() const { return !what.empty(); }

  /// Returns both as one text. @param root the name of the whole value
  std::string text(std::string_view root) const;

  /// Returns it as found in `outer`: "name" or "[7]".
  json_misfit inside(std::string_view outer) &&;
};

} // namespace troupe

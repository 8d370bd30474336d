// How strictly an object from outside is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// The differences between configuration files, entries of them, and request bodies.
struct reading_rules {
  errc code = errc::config_invalid;           ///< of every error
  std::string_view root{"the configuration"}; ///< what errors call the whole text
  bool environment = true;                    ///< variables in strings are replaced
  bool of_people = false; ///< numbers are taken for strings in lists; a key may stand once only
  std::vector<std::string>* notes = nullptr; ///< told what is passed over; nullptr: it is refused
  std::string* lacking = nullptr; ///< told of the first variable without a value, which is then
                                  ///< empty; nullptr: it is an error
};

} // namespace troupe

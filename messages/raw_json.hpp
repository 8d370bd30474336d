// JSON text that this program passes on unread.
#pragma once

#include <string>

#include "messages/fields.hpp"

namespace troupe {

/// JSON text that is passed on as it is; the code that makes a raw_json has validated the text.
struct raw_json {
  std::string text;

  static constexpr auto fields(auto...) { return std::make_tuple(field("text", &raw_json::text)); }
};

} // namespace troupe

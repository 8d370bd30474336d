// JSON that nobody here reads.
#pragma once

#include <string>

#include "messages/fields.hpp"

namespace troupe {

/// JSON text that is passed on as it is; whoever makes one has validated it.
struct raw_json {
  std::string text;

  static constexpr auto fields() { return std::make_tuple(field("text", &raw_json::text)); }
};

} // namespace troupe

// First looks at the data of an event, before it is parsed.
#pragma once

#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe::bench {

/// Returns whether the data is the `[DONE]` that ends a stream, with space around it or not.
bool is_done(std::string_view data);

/// Returns the member `type` of an object, without its quotes; "" if there is none. All known
/// servers write it first, where it is found without a search.
/// @param json is followed by json_padding readable bytes
std::string_view type_of(std::string_view json);

/// Returns whether a further output of the tool follows, which replaces this one: the AI SDK's
/// member `preliminary` is true.
/// @param json is followed by json_padding readable bytes
bool is_preliminary(std::string_view json);

/// Returns the token counts of a `usage` with the names of the AI SDK and Troupe.
/// @param json is followed by json_padding readable bytes
usage usage_of(std::string_view json);

} // namespace troupe::bench

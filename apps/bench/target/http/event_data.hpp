// First looks at the data of an event, before it is parsed.
#pragma once

#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe::bench {

/// Returns whether the data is the `[DONE]` that ends a stream, with space around it or not.
bool is_done(std::string_view data);

/// Returns the member `type` of an object, without its quotes; "" if there is none. Looks no
/// further than at the beginning where it stands there, as all known servers write it.
/// @param json is followed by json_padding readable bytes
std::string_view type_of(std::string_view json);

/// Returns whether a tool's output is one of several, of which the last counts: the member
/// `preliminary` of the AI SDK is true.
/// @param json is followed by json_padding readable bytes
bool is_preliminary(std::string_view json);

/// Returns the tokens that a `usage` has with the AI SDK's names, which are Troupe's, too; what
/// else it counts is left out.
/// @param json is followed by json_padding readable bytes
usage usage_of(std::string_view json);

} // namespace troupe::bench

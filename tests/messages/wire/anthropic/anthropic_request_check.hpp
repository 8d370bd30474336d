// What Anthropic demands of a request's body, as strict as the API and its strictest copies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

/// Returns all that Anthropic would refuse in a request's body.
/// @param was_paused the last message is an answer in which Anthropic paused, perhaps in its text
std::vector<std::string> anthropic_request_faults(std::string_view body, bool was_paused = false);

} // namespace troupe::test

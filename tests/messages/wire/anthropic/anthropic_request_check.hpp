// What Anthropic demands of a request's body, as strict as the API and its strictest copies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

/// Returns all that Anthropic would refuse in a request's body.
std::vector<std::string> anthropic_request_faults(std::string_view body);

} // namespace troupe::test

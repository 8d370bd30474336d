// What OpenAI's Responses API, and the strictest servers that speak it, demand of a request's body.
#pragma once

#include <string>
#include <string_view>

namespace troupe::test {

/// Returns what would be refused in the body of a request to the Responses API, or "".
std::string openai_responses_body_fault(std::string_view body);

} // namespace troupe::test

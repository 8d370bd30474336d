// Requests to providers, each of which a strict server of the provider has looked at. Tests make
// their requests here, so that whatever a test is about, it is about a request that is taken.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/providers.hpp"

namespace troupe::test {

/// Returns what a strict server of the provider would refuse in the body of a request, or "".
std::string request_fault(std::string_view provider, const model_request& asked,
                          std::string_view body);

/// Makes the request. The test fails where a strict server would refuse it.
http_request accepted_request(std::string_view provider, const model_request& asked);

/// Returns the body of accepted_request().
std::string accepted_body(std::string_view provider, const model_request& asked);

} // namespace troupe::test

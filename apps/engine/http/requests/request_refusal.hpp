// The answer to a request that is refused before a route runs.
#pragma once

#include <string_view>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Refuses a request, in the error format that clients of its path read.
void refuse_request(std::string_view path, http_response& response, const failure& why,
                    headers fields);

} // namespace troupe

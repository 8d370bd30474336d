// The answer to a request that no route takes.
#pragma once

#include <string_view>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Answers a request that was not let in, in the form in which its path's clients read errors.
void refuse_request(std::string_view path, http_response& response, const failure& why,
                    headers fields);

} // namespace troupe

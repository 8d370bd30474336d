// HTTP answers that refuse a turn.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::bench {

/// Makes a failure from an answer with a status other than 2xx: "HTTP 429: ..." with the code in
/// the body of Troupe's own errors, else the code nearest to the status.
failure refused_turn(uint16_t status, std::string_view body);

} // namespace troupe::bench

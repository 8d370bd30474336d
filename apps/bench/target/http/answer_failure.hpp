// What an HTTP answer means that is none to a turn.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::bench {

/// Makes a failure of an answer with a status other than 2xx: "HTTP 429: ..." with the code that
/// Troupe's own errors name in their body, else the one that says most nearly what the status does.
failure refused_turn(uint16_t status, std::string_view body);

} // namespace troupe::bench

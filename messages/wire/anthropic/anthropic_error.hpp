// The errors that Anthropic reports inside of an answer.
#pragma once

#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// Makes a failure of {"type":"error","error":{"type","message"}}: its kind counts like the status
/// that the same error has as an answer of its own.
failure anthropic_error(std::string_view json);

} // namespace troupe

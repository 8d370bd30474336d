// How many tokens a request has, about.
#pragma once

#include <cstdint>

#include "messages/chat/turn_request.hpp"

namespace troupe {

/// Returns an estimate of the tokens of a request's history and tools, at least 1: each model
/// counts in its own way, and Troupe has none of these ways. A token is taken for four characters
/// of ASCII or one other character; a file for 1,600 tokens.
uint64_t estimated_tokens(const turn_request& asked);

} // namespace troupe

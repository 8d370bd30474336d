// Anthropic's Messages API, which some other providers and gateways speak as well.
#pragma once

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The row of providers() for POST {base_url}/v1/messages.
extern const provider anthropic;

} // namespace troupe

// The list of model providers.
#pragma once

#include <string_view>
#include <vector>

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Returns the provider called `name`, or nullptr.
const provider* find_provider(std::string_view name);

/// Returns the names of all providers, for error texts.
std::vector<std::string_view> provider_names();

} // namespace troupe

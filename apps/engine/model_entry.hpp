// One entry of `models` in the configuration.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "apps/engine/object_reader.hpp"
#include "messages/model_config.hpp"

namespace troupe {

/// Returns what is wrong with an API key, which goes into a header, or "".
std::string_view api_key_fault(std::string_view key);

/// Reads an entry.
void read_model_entry(std::string_view name, object_reader& in, model_config& out);

/// Refuses a fallback that is no key of `models` or that leads back to where it began.
/// @param in the configuration's root
void check_fallbacks(object_reader& in, const std::map<std::string, model_config>& models);

} // namespace troupe

// One entry of `models` in the configuration.
#pragma once

#include <string_view>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/chat/model_config.hpp"

namespace troupe {

/// Reads an entry. What a model's strings may hold is for check_config() to say.
void read_model_entry(std::string_view name, object_reader& in, model_config& out);

} // namespace troupe

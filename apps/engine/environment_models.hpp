// Models that the environment brings, where a configuration names none.
#pragma once

#include <string>
#include <string_view>

#include "apps/engine/config.hpp"

namespace troupe {

/// Reads OPENAI_API_KEY. @return config_invalid when it cannot go into a header
failure read_environment_key(std::string& out);

/// When no model is configured: uses the first provider whose variables are set, as OPENAI_API_KEY,
/// OPENAI_BASE_URL and OPENAI_MODEL, and notes in model_source which they are.
failure add_environment_model(engine_config& config);

/// Makes a model of "anthropic/NAME", a provider and its name for the model, with the key that the
/// environment has, at the address that it names, else the provider's own.
/// @return model_unknown when it begins with no provider's name; config_invalid when a provider's
/// own address needs a key that the environment lacks
failure make_named_model(std::string_view name, model_config& out);

} // namespace troupe

// One entry of `models` in the configuration.
#pragma once

#include <string_view>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/chat/model_config.hpp"

namespace troupe {

/// Gives a model that has no address the one of its provider, or of the environment; and one that
/// has no key either, the provider's key of the environment. A key goes to no other address.
void take_address(model_config& model);

/// Reads an entry. The contents of its strings are checked by check_config().
void read_model_entry(std::string_view name, object_reader& in, model_config& out);

} // namespace troupe

// What the environment says about models: addresses, keys and names, by provider.
#pragma once

#include "messages/chat/model_config.hpp"

namespace troupe {

/// Gives a model that has no address the one of its provider, or of the environment; and one that
/// has no key either, the provider's key of the environment. A key goes to no other address.
void take_address(model_config& model);

} // namespace troupe

// Blocks that a provider wants back byte for byte: its own parts of an answer, in their order.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns chat_message::provider_metadata that keeps a list of blocks, as
/// {"anthropic":{"model":"...","blocks":[...]}}. Kept only where text, reasoning and calls of the
/// message do not say it all: signatures, sealed reasoning, what the provider ran itself.
/// @param key the provider's own namespace (sealed_namespaces) @param model as in the request
/// @param blocks JSON array
std::string seal_blocks(std::string_view key, std::string_view model, std::string_view blocks);

/// Returns the blocks that `key` keeps in the metadata; "" if there are none, or another model made
/// them: seals hold for their model only.
std::string sealed_blocks(std::string_view metadata, std::string_view key, std::string_view model);

/// Returns whether the namespace is one that a provider seals blocks in. It goes to nobody else.
bool is_sealed_namespace(std::string_view key);

} // namespace troupe

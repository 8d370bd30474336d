// The bound on an answer's tokens: newer models refuse one of its names, older servers the other.
#pragma once

#include <string_view>

#include "messages/chat/model_config.hpp"
#include "messages/wire/openai_chat/openai_dialect.hpp"

namespace troupe {

inline constexpr std::string_view old_bound = "max_tokens";
inline constexpr std::string_view new_bound = "max_completion_tokens";

/// Returns the name that a server takes as far as is known.
std::string_view usual_bound(const model_config& model, const openai_dialect& dialect);

/// provider::learn: a server that does not know the name of the bound gets the other one from now
/// on. A bound that is only too large teaches nothing.
bool learn_openai_bound(const model_config& model, std::string_view refusal);

} // namespace troupe

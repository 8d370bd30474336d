// OpenAI's Responses API, which Azure, DeepSeek, xAI, LM Studio and others speak as well.
#pragma once

#include <string>

#include "messages/json.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Appends the members, each after a comma and each key once. OpenAI's words of chat completions
/// get the names that they have here; words that this API has not are left out (`stop`, `seed`,
/// the penalties, `n`, `top_k`). Says `store` and `include` unless the parameters do.
void append_responses_parameters(json_buffer& out, const model_request& request);

/// Returns whether the model is known to have no reasoning that could be sealed. OpenAI refuses a
/// request that asks such a model for it.
/// @param name as the provider knows it
bool lacks_sealed_reasoning(std::string_view name);

/// Returns what is wrong with the parameters of a model (provider::check); "" = nothing.
std::string check_responses_parameters(const model_config& model);

/// The row of providers() for POST {base_url}/responses.
extern const provider openai_responses;

} // namespace troupe

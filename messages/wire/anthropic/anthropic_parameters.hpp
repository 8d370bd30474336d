// The parameters of a request in Anthropic's words.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/anthropic/anthropic_model.hpp"
#include "messages/wire/anthropic/anthropic_thinking.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// Appends `,"key":value` for what was asked. What Anthropic has no word for is left out: seed,
/// penalties, log probabilities, an answer of JSON without a schema; and so is what the model
/// refuses: temperature and top_k beside thinking, all three of newer models.
/// @param tools whether the request has tools
void append_anthropic_parameters(json_buffer& out, request_parameters asked,
                                 const anthropic_thinking& thinking, const anthropic_model& model,
                                 bool tools);

} // namespace troupe

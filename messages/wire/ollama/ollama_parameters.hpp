// What a request asks of the model, in Ollama's words.
#pragma once

#include <cstdint>

#include "messages/json.hpp"
#include "messages/wire/provider/provider.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// Appends `,"key":value` for each member beside the model, its messages and its tools: `format`,
/// `think` (only where it is asked for, since a model that does not think refuses it), `options`,
/// and what was given in Ollama's own words. Ollama ignores members that it does not know, so that
/// its options count wherever they were given: among `options`, or beside them.
/// @param wanted what it takes is taken out
void append_ollama_parameters(json_buffer& out, const model_request& asked,
                              request_parameters& wanted);

/// Returns num_ctx as the configuration has it; 0: the server's default.
uint64_t ollama_context_tokens(const model_config& model);

} // namespace troupe

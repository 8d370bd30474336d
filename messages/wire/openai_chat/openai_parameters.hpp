// Parameters that a configuration or a client passes through to a chat-completions server.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Appends the members of model.parameters and prompt.parameters, each behind a comma and each key
/// once; the prompt's win. Left out are members that the engine itself decides on (`model`,
/// `messages`, `stream`, `stream_options`, `tools`), those that servers refuse without tools, and a
/// `tool_choice` that demands a call where one was made: the model could never answer.
/// The bound of prompt.max_tokens is appended too, under the name that the parameters use for it.
void append_openai_parameters(json_buffer& out, const model_prompt& prompt);

} // namespace troupe

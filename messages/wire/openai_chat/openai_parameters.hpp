// Parameters that a configuration or a client passes through to a chat-completions server.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/openai_chat/openai_dialect.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Appends the members of model.parameters and request.parameters, each after a comma and each key
/// once; the request's value wins. Left out are members that the engine decides itself (`model`,
/// `messages`, `stream`, `stream_options`, `tools`), members that servers refuse without tools, and
/// a `tool_choice` that demands a call when calls were already run: with it the model could never
/// answer. Appends the bound of request.max_tokens too, under the name that the parameters use for
/// it. @param dialect of the model's server
void append_openai_parameters(json_buffer& out, const model_request& request,
                              const openai_dialect& dialect);

} // namespace troupe

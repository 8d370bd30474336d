// OpenAI's chat completions, which most other providers and local servers speak as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/model_config.hpp"
#include "messages/chat/tool_definition.hpp"
#include "messages/json.hpp"
#include "messages/wire/openai_chat/openai_dialect.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

inline constexpr std::string_view old_bound = "max_tokens";
inline constexpr std::string_view new_bound = "max_completion_tokens";

/// Returns the name that a server takes as far as is known.
std::string_view usual_bound(const model_config& model, const openai_dialect& dialect);

/// A part of provider::learn: a server that does not know the name of the bound gets the other one
/// from now on. A bound that is only too large teaches nothing.
bool learn_openai_bound(const model_config& model, std::string_view refusal);

/// Appends the members of model.parameters and request.parameters, each after a comma and each key
/// once; the request's value wins. Left out are members that the engine decides itself (`model`,
/// `messages`, `stream`, `stream_options`, `tools`), members that servers refuse without tools, and
/// a `tool_choice` that demands a call when calls were already run: with it the model could never
/// answer. Appends the bound of request.max_tokens too, under the name that the parameters use for
/// it. @param dialect of the model's server
void append_openai_parameters(json_buffer& out, const model_request& request,
                              const openai_dialect& dialect);

/// Returns the JSON array `tools` of a request (OpenAI, "Create chat completion"): a function for
/// each usable_tool. The same bytes for the same tools.
std::string openai_tools(const std::vector<tool_definition>& tools);

/// The row of providers() for POST {base_url}/chat/completions.
extern const provider openai_chat;

} // namespace troupe

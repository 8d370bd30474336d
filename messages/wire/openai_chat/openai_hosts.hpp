// Servers that want something else of the same request, known by their address.
#pragma once

#include <string_view>

#include "messages/chat/model_config.hpp"
#include "messages/http.hpp"

namespace troupe {

/// Returns the host of a URL, with its port: "api.openai.com"; "" if it has none.
std::string_view host_in(std::string_view url);

/// Returns whether it is OpenAI itself.
bool is_openai(std::string_view url);

/// Returns whether it is one of Azure's addresses for OpenAI's APIs.
bool is_azure(std::string_view url);

/// Returns whether it is Mistral's own server.
bool is_mistral(std::string_view url);

/// Returns the field that has the key: `api-key` at Azure, `authorization` elsewhere. None where
/// the configuration has fields for it: json_request() adds those.
header openai_key(const model_config& model);

} // namespace troupe

// Embeddings, which OpenAI's API and most servers that speak it have.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/model_config.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

/// Returns whether the model's provider has POST {base_url}/embeddings.
bool has_embeddings(const model_config& model);

/// Reads the member `model` of a body. @return request_invalid if the body is no JSON object or its
/// model no string
failure read_embedding_model(std::string_view body, std::string& out);

/// Makes the request: the client's body as it is, with the name by which the provider knows the
/// model, and the model's own key, header fields and time limits.
/// @param body a body that read_embedding_model() took
http_request embedding_request(const model_config& model, std::string_view body);

} // namespace troupe

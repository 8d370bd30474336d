// Embeddings, passed through to the model's provider.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// POST /v1/embeddings: the client's body goes to the provider of its model, with the provider's
/// own key, and the provider's answer comes back as it is.
route_table embedding_routes();

} // namespace troupe

// One request that is passed through to a model's provider.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/chat/model_config.hpp"
#include "messages/http.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Most bytes of a provider's answer that are passed on: some thousand texts.
inline constexpr size_t max_relayed_bytes = size_t{64} * 1024 * 1024;

/// Around an answer.
struct embedding_terms {
  headers extra;                 ///< of the answer's head
  bool shows_details = true;     ///< clients get the provider's texts about failures
  std::shared_ptr<log_port> log; ///< gets the texts that they do not get; may be null
};

/// Sends the request and answers with the provider's body, or with an error as OpenAI's clients
/// read it. Ends with the answer, or when the client has gone, which closes the connection to the
/// provider. Any thread. @param http outlives the actor
void spawn_embedding_relay(caf::actor_system& system, http_port& http, http_request request,
                           std::shared_ptr<http_response> response, embedding_terms terms);

} // namespace troupe

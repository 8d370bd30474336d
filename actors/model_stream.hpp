// One model request in flight: its HTTP exchange and its decoder.
#pragma once

#include <memory>

#include <caf/local_actor.hpp>

#include "messages/interfaces.hpp"
#include "messages/ports.hpp"
#include "messages/wire/provider.hpp"

namespace troupe {

/// What one model request needs.
struct model_stream_config {
  http_port* http = nullptr; ///< outlives the actor
  http_request request;
  std::unique_ptr<model_decoder> decoder;
  uint32_t round = 0; ///< repeated in each model_output
};

/// Sends the request and reports to `reader`, one model_output per network read, the last one
/// `over`. Linked to its parent, which is the reader itself; ends after the last output. Its end
/// closes the upstream connection.
model_stream_actor spawn_model_stream(caf::local_actor& parent, model_reader_actor reader,
                                      model_stream_config config);

} // namespace troupe

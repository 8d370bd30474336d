// One model request: its attempts, the exchange of the one that runs, and its decoder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <caf/local_actor.hpp>

#include "actors/model/fallback_chain.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// What one model request needs.
struct model_stream_config {
  http_port* http = nullptr;                ///< outlives the actor
  shared_model model;                       ///< the one that was asked for
  http_request request;                     ///< for it
  std::vector<shared_model> fallbacks = {}; ///< stand in for it, in this order
  std::string id_prefix = {};               ///< of provider::make_decoder
  uint32_t number = 0;                      ///< model_output::request of all that it says

  /// Returns where in [0, 1) the jitter falls; empty = at random.
  std::function<double()> chance = {};
};

/// Sends the request and reports to `reader`, one model_output per network read, the last one
/// `over` and with the report. Nothing is said before the first event of an attempt, and nothing is
/// tried again after it, so no text comes twice. Waits for one of the model's slots where these
/// are limited; a slot is held until the model is given up. Without a model_limiter actor, or when
/// that ends, there is no limit.
///
/// Linked to its parent, which is the reader itself; ends after the last output. Its end closes the
/// upstream connection.
model_stream_actor spawn_model_stream(caf::local_actor& parent, model_reader_actor reader,
                                      model_stream_config config);

} // namespace troupe

// One model request: its attempts, the exchange of the one that runs, and its decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <caf/local_actor.hpp>

#include "actors/model/chat_settings.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// A model's configuration; keeps what it is a part of.
using shared_model = std::shared_ptr<const model_config>;

/// The most models that one request goes to, the first one included.
inline constexpr size_t max_targets = 5;

/// Returns a model of `config`.
shared_model share_model(const std::shared_ptr<const chat_settings>& config,
                         const model_config& model);

/// Returns the models that stand in for `first`, in their order: its fallback, the fallback of
/// that, and so on; at most max_targets - 1, none twice. Keys that do not exist end the chain.
std::vector<shared_model> fallbacks_of(const std::shared_ptr<const chat_settings>& config,
                                       const model_config& first);

/// Returns the HTTP request for a model; one without a URL if it is to be without seals and the
/// history has none. Writes one line per model and parameter that its provider cannot take.
/// @param traceparent a header's value; "" = none @param log nullptr = none
http_request request_for(const model_request& asked, const std::string& traceparent,
                         log_port* log = nullptr);

/// The parameters of one model request.
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

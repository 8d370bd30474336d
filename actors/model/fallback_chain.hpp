// Whom a model request goes to: the model that was asked for, then those that stand in for it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "actors/model/chat_settings.hpp"
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

} // namespace troupe

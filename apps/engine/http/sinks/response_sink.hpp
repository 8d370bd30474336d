// Events to an HTTP client, in one of the stream formats.
#pragma once

#include <memory>

#include "messages/http.hpp"
#include "messages/json.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

/// Adds Retry-After, in whole seconds, for an error of which a model's server says when to try
/// again, or which soon passes by itself, in this server or another one.
void add_retry_after(headers& out, const failure& why);

/// Answers a request with an error object: {"error":{...}}.
void send_error(http_response& response, const failure& why, headers extra = {});

/// Answers with a UI message stream; a refusal is a plain text, which the AI SDK shows as it is.
/// @param extra goes into the head of the answer, whatever it is
std::unique_ptr<event_sink> ui_stream_sink(std::shared_ptr<http_response> response,
                                           ui_profile profile = ui_profile::v6, headers extra = {});

/// Answers with the native event stream; a refusal is an error object.
/// @param extra as above
std::unique_ptr<event_sink> native_stream_sink(std::shared_ptr<http_response> response,
                                               headers extra = {});

} // namespace troupe

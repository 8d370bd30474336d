// The typed actor interfaces of models' answers, one line of doc per message.
#pragma once

#include <string>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/interfaces/type_ids.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::fallback_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::fallback_request)

namespace troupe {

/// Reads a model's answer: a session, or the sampling_responder of one request of an MCP server.
using model_reader_actor = caf::typed_actor<
    // The events of one network read; `over` is set in the last message.
    caf::reacts_to<model_output>,
    // Asks for the request to a fallback; answered with fallback_request to the sender.
    caf::reacts_to<fallback_due>>;

/// Answers one sampling request of an MCP server; ends itself when it has.
using sampling_responder_actor = model_reader_actor::extend<
    // INTERNAL: the time for the answer is over.
    caf::reacts_to<atom::expire>>;

/// Keeps tool results on disk that are too long for a model. Detached: it writes files.
using tool_output_store_actor = caf::typed_actor<
    // Writes the text (call id, text) to a file of its own; answers its path, "" if that failed.
    caf::replies_to<std::string, std::string>::with<std::string>>;

/// Reads one answer of a model; ends itself when the answer is over. Linked to its reader.
using model_stream_actor = caf::typed_actor<
    // INTERNAL: the next part of the HTTP answer.
    caf::reacts_to<http_part>,
    // Pauses and resumes the upstream connection.
    caf::reacts_to<flow_control>,
    // INTERNAL: whether the model has a slot, from the model_limiter.
    caf::reacts_to<slot_answer>,
    // The request to a fallback, from the reader.
    caf::reacts_to<fallback_request>,
    // INTERNAL: a deadline or the delay before a retry may have passed.
    caf::reacts_to<atom::tick>>;

/// Bounds how many requests a model gets at once; a slot is given back when its holder ends.
using model_limiter_actor = caf::typed_actor<
    // Answered by slot_answer, at once or later.
    caf::reacts_to<acquire_slot>,
    // Gives a slot back, or withdraws a request for one.
    caf::reacts_to<release_slot>>;

} // namespace troupe

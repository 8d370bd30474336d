// Sinks for the events of a turn of Ollama's clients: lines, or one answer.
#pragma once

#include <memory>

#include "apps/engine/http/sinks/stream_keep_alive.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/ollama/ollama_reply.hpp"

namespace troupe {

// `extra` goes into the head of every answer.

/// Streams lines of JSON; begins as completions_stream_sink() does, with a line without a text.
/// @param keep_alive the timer for that; nullptr: none
std::unique_ptr<event_sink> ollama_stream_sink(std::shared_ptr<http_response> response,
                                               ollama_identity identity, headers extra,
                                               stream_keep_alive* keep_alive = nullptr);

/// Answers with one object when the turn is over.
std::unique_ptr<event_sink> ollama_sink(std::shared_ptr<http_response> response,
                                        ollama_identity identity, headers extra);

/// Answers with an error as Ollama's clients read it.
void send_ollama_error(http_response& response, const failure& why, headers extra = {});

} // namespace troupe

// Sinks for the events of a chat completion: chunks, or one answer.
#pragma once

#include <memory>

#include "apps/engine/http/stream_keep_alive.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"

namespace troupe {

// `extra` goes into the head of every answer.

/// Streams `chat.completion.chunk`s. The head is held back until the first chunk, because a turn
/// that fails before then gets an error status. After stream_keep_alive::limit the stream begins
/// with a comment, and a later error is a chunk.
/// @param keep_alive the timer for that; nullptr: none
std::unique_ptr<event_sink> completions_stream_sink(std::shared_ptr<http_response> response,
                                                    const completion_identity& identity,
                                                    bool include_usage, headers extra,
                                                    stream_keep_alive* keep_alive = nullptr);

/// Answers with one `chat.completion` when the turn is over.
std::unique_ptr<event_sink> completion_sink(std::shared_ptr<http_response> response,
                                            completion_identity identity, headers extra);

/// Answers with an error as OpenAI's clients read it.
void send_completions_error(http_response& response, const failure& why, headers extra = {});

} // namespace troupe

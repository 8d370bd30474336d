// Sinks for the events of a completion: chunks, or one answer.
#pragma once

#include <cstdint>
#include <memory>

#include "apps/engine/http/sinks/stream_keep_alive.hpp"
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

/// Streams chunks of a `text_completion`, as completions_stream_sink() does its own.
std::unique_ptr<event_sink> text_completion_stream_sink(std::shared_ptr<http_response> response,
                                                        const completion_identity& identity,
                                                        bool include_usage, headers extra,
                                                        stream_keep_alive* keep_alive = nullptr);

/// Answers with one `text_completion` when the turn is over.
std::unique_ptr<event_sink> text_completion_sink(std::shared_ptr<http_response> response,
                                                 completion_identity identity, headers extra);

/// Returns the status of an error for programs that act by it: 429 for a model that is busy, 502
/// and 504 for one that cannot be had.
uint16_t completions_status(errc code);

/// Answers with an error as OpenAI's clients read it.
void send_completions_error(http_response& response, const failure& why, headers extra = {});

} // namespace troupe

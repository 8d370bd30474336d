// Where the events of a chat completion go: chunks, or one answer.
#pragma once

#include <memory>

#include "apps/engine/http/stream_keep_alive.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"

namespace troupe {

// `extra` goes into the head of every answer.

/// Streams `chat.completion.chunk`s. The head is held back until there is something to show, so
/// that a turn that fails before gets a status; but not longer than a connection may be keep_alive.
/// Then the stream begins with a comment, and an error is a chunk of it.
/// @param keep_alive minds that; nullptr: nobody does
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

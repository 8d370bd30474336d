// Sinks for the events of a message of Anthropic's clients: a stream, or one answer.
#pragma once

#include <memory>

#include "apps/engine/http/sinks/stream_keep_alive.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/claude/claude_stream.hpp"

namespace troupe {

// `extra` goes into the head of every answer.

/// Streams the events of a message; begins as completions_stream_sink() does.
/// @param keep_alive the timer for that; nullptr: none
std::unique_ptr<event_sink> claude_stream_sink(std::shared_ptr<http_response> response,
                                               claude_identity identity, headers extra,
                                               stream_keep_alive* keep_alive = nullptr);

/// Answers with one message when the turn is over.
std::unique_ptr<event_sink> claude_sink(std::shared_ptr<http_response> response,
                                        claude_identity identity, headers extra);

/// Answers with an error as Anthropic's clients read it.
void send_claude_error(http_response& response, const failure& why, headers extra = {});

} // namespace troupe

// Finds rounds of tools in the history of a client, which may tell less of them than there was.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_request.hpp"

namespace troupe {

/// The messages that tell of rounds, from the first to the last one.
struct told_place {
  size_t first = 0;
  size_t last = 0;
};

/// Returns the calls of an answer that the client of the request runs.
std::vector<tool_call> calls_of_client(const turn_request& request, const chat_message& answer);

/// Finds what a client tells of rounds that end with the calls of its answer `at`: their texts
/// alone, which it may have joined or left out, or their calls and results, too. Nothing, if it
/// tells them differently. @param begin the first message that may tell of them
std::optional<told_place> find_told(const turn_request& request, size_t begin, size_t at,
                                    const std::vector<chat_message>& rounds);

} // namespace troupe

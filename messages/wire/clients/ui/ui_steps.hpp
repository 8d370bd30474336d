// Steps of an answer that say nothing to a model: they are kept with the message before them.
#pragma once

#include <cstddef>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Returns a step as entries that need no message: its text and reasoning are parts in full.
/// @param message of the step, with its chat_message::shown; has no calls
/// @param first_run the number of its first text or reasoning in the stream
std::vector<shown_part> spelled_steps(const chat_message& message, size_t first_run);

/// Appends steps after those of `last`, which they follow.
void show_behind(chat_message& last, std::vector<shown_part> steps);

/// Puts steps in front of those of an answer.
void show_before(chat_message& answer, std::vector<shown_part> steps);

} // namespace troupe

// Histories that providers accept.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/skipped_call_texts.hpp"

namespace troupe {

/// What the result of a call says that brought nothing; providers refuse one without text.
inline constexpr std::string_view no_output_text = "(The tool returned nothing.)";

/// What the result of a call says that the end of the process has cut off.
inline constexpr std::string_view restarted_text =
    "The server was restarted while this tool ran; it may or may not have run.";

/// Repairs a history in place so that every tool call has exactly one result right after its
/// message, in call order, no result stands without its call or without text, all arguments are
/// JSON objects, all names are names to a provider, and no answer is empty. Returns how many
/// messages at its beginning have stayed as they were.
/// @param reason what a missing result says
size_t repair_history(std::vector<chat_message>& history, std::string_view reason = not_run_text);

/// Gives messages from `first` on the ids that they lack. A result has that of its call's message.
void name_messages(std::vector<chat_message>& history, size_t first);

/// Returns the message whose calls can still get results, because only results follow it: the last
/// one of an assistant, or nullptr.
const chat_message* last_calls(const std::vector<chat_message>& history);

/// Returns the calls of last_calls that have no result, in their order.
std::vector<tool_call> open_calls(const std::vector<chat_message>& history);

} // namespace troupe

// Histories that providers accept.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/skipped_call_texts.hpp"

namespace troupe {

/// Repairs a history in place. Afterwards every tool call has exactly one result right after its
/// message, in call order; no result lacks its call or its text; all arguments are JSON objects;
/// all tool names are valid for providers; no answer is empty. Returns how many messages at the
/// beginning did not change.
/// @param reason what a missing result says
size_t repair_history(std::vector<chat_message>& history, std::string_view reason = not_run_text);

/// Gives messages from `first` on the ids that they lack. A result gets that of its call's message.
void name_messages(std::vector<chat_message>& history, size_t first);

/// Notes on the user's last message whether the provider refused to answer it. Returns the place of
/// the message; SIZE_MAX if nothing has changed.
size_t note_refusal(std::vector<chat_message>& history, bool refused);

/// Returns the last message before the results at the end of the history, if it has calls; else
/// nullptr. Only its calls can still get results.
const chat_message* last_calls(const std::vector<chat_message>& history);

/// Returns the calls of last_calls that have no result, in their order.
std::vector<tool_call> open_calls(const std::vector<chat_message>& history);

} // namespace troupe

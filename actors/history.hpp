// Histories that providers accept.
#pragma once

#include <string_view>
#include <vector>

#include "messages/types.hpp"

namespace troupe {

/// Repairs a history in place so that every tool call has exactly one result right after its
/// message, in call order, no result stands without its call, and all arguments are JSON objects.
/// @param reason what a missing result says; "The tool was not run."
void repair_history(std::vector<chat_message>& history,
                    std::string_view reason = "The tool was not run.");

} // namespace troupe

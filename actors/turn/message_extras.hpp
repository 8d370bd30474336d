// What goes with a user's message, in a history. No actor, no I/O.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/mcp/resource_messages.hpp"

namespace troupe {

/// Puts attachments into the last message of the user, as the flow documents' MCP_RESOURCE; one
/// that could not be read says so in its content. Returns false if no user has spoken.
bool attach(std::vector<chat_message>& history, std::vector<attachment> attached);

/// Takes over what `old` has attached to the user's messages into a history that replaces it, as
/// far as the user says the same in both: clients that send the whole history do not know of it.
/// Returns whether there was anything.
bool carry_extras(std::vector<chat_message>& old, std::vector<chat_message>& history);

/// Takes over, by the ids of calls, what a provider wants back with its answers (reasoning, opaque
/// metadata) where `history` does not have it. Costs one look at `old` when it has nothing.
void carry_answers(std::vector<chat_message>& old, std::vector<chat_message>& history);

/// Gives the calls of `sent` whose result the client does not have, or only that they were denied,
/// that of the same call in `known`. A client that was not there when a call ended can not know it.
/// @param missing what becomes of not_run_text where `known` has no result
void restore_results(const std::vector<chat_message>& known, std::vector<chat_message>& sent,
                     std::string_view missing);

/// Takes over the results of `old` for the calls at the end of `history` that have none there.
void carry_results(std::vector<chat_message>& old, std::vector<chat_message>& history);

} // namespace troupe

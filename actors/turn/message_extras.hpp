// Parts of a chat's messages that clients do not send back. No actor, no I/O.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/mcp/resource_messages.hpp"

namespace troupe {

/// Puts attachments into the last message of the user, as the flow documents' MCP_RESOURCE. The
/// content of one that could not be read says so. Returns false if there is no message of a user.
bool attach(std::vector<chat_message>& history, std::vector<attachment> attached);

/// Moves the attachments of the user's messages from `old` to the history that replaces it, up to
/// the first message of the user that differs. Clients that send the whole history do not have
/// them. Returns whether any message has attachments now.
bool carry_extras(std::vector<chat_message>& old, std::vector<chat_message>& history);

/// Moves provider data (reasoning, opaque metadata), which providers want back with their answers,
/// from `old` into `history` where it is missing. Messages are matched by the ids of calls. Costs
/// one pass over `old` if `old` has no such data.
void carry_answers(std::vector<chat_message>& old, std::vector<chat_message>& history);

/// Replaces results of `sent` that say "not run" or "denied" by the result of the same call in
/// `known`: a client that was not connected when a call ended does not know its result.
/// @param missing replaces not_run_text where `known` has no result
void restore_results(const std::vector<chat_message>& known, std::vector<chat_message>& sent,
                     std::string_view missing);

/// Takes over how a client shows a message that is the same in its history: of its own messages all
/// that no model sees, of answers the UI messages after them that say nothing to a model. A client
/// whose messages have no ids does not show any of it. Returns whether `known` has changed.
bool follow_shown(const chat_message& sent, chat_message& known);

/// Moves what is known of results (their images, how they are shown) from `old` to the same results
/// in `history`: where results of the client's join them, they stand elsewhere than before.
void carry_shown(std::vector<chat_message>& old, std::vector<chat_message>& history);

/// Takes over the results of `old` for the calls at the end of `history` that have none there.
void carry_results(std::vector<chat_message>& old, std::vector<chat_message>& history);

} // namespace troupe

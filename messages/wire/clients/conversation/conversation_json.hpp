// Conversations as JSON: lists, hits, overrides, usage, and the file that an export is.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/conversation_messages.hpp"
#include "messages/store/usage_messages.hpp"

namespace troupe {

/// Most bytes of a title.
inline constexpr size_t max_title_bytes = 1024;

/// Most servers that overrides may name.
inline constexpr size_t max_override_servers = 1024;

// -- an export: all there is of one conversation, on one line
// --------------------------------------

/// Returns `{"format":"troupe.conversation","version":1,"info":{..},"overrides":{..},
/// "messages":[..],"turns":[..]}`; import_conversation() makes the same of it again.
std::string export_json(const conversation& what);

/// Reads an export. Unknown members are refused, absent ones are empty; the id, if any, is checked.
/// A turn that ran when it was exported was interrupted.
/// @return request_invalid, with the place; then `out` is anything
failure import_conversation(std::string_view json, conversation& out);

// -- answers
// ---------------------------------------------------------------------------------------

/// Returns {conversations: [{id, title, createdAt, updatedAt, messageCount, version}], next}; next
/// is null on the last page.
std::string conversations_json(const conversation_page& page);

/// Returns {hits: [{conversationId, title, messageId, role, snippet, createdAt}], next}; a snippet
/// is [{text, match}], so that nobody has to look for marks in a text.
std::string hits_json(const search_page& page);

/// Returns {model, mcpServers}; null is what there is no override of.
std::string overrides_json(const chat_overrides& what);

/// Reads what overrides_json() returns. @return request_invalid; unknown members are refused
failure parse_overrides(std::string_view json, chat_overrides& out);

/// Returns {usage: [{day, model, turns, requests, usage}], total: {turns, requests, usage}}.
std::string usage_json(const usage_table& table);

// -- checks
// ----------------------------------------------------------------------------------------

/// Returns what is wrong with the id that a client gives: 1 to 256 bytes, no control characters.
failure check_conversation_id(std::string_view id);

/// Returns what is wrong with a title: at most max_title_bytes.
failure check_title(std::string_view title);

/// Returns whether it is "" or a day, "2026-11-21".
bool is_day(std::string_view text);

} // namespace troupe

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

// -- export: a whole conversation, on one line ----------------------------------------------------

/// Returns `{"format":"troupe.conversation","version":1,"info":{..},"overrides":{..},
/// "messages":[..],"turns":[..]}`; import_conversation() restores the same conversation.
std::string export_json(const conversation& what);

/// Reads an export. Members that are unknown or there twice are refused, absent ones are empty; the
/// id, if any, is checked. What would be stored as something else than the file says is refused: a
/// message without a role and a content, two turns of one id, times beyond the year 9999. A turn
/// that was running at the export becomes `interrupted`.
/// @return request_invalid, with the place; then the content of `out` is undefined
failure import_conversation(std::string json, conversation& out);

// -- answers --------------------------------------------------------------------------------------

/// Returns {conversations: [{id, title, createdAt, updatedAt, messageCount, version}], next}; next
/// is null on the last page.
std::string conversations_json(const conversation_page& page);

/// Returns {hits: [{conversationId, title, messageId, role, snippet, createdAt}], next}; a snippet
/// is [{text, match}], so that clients need not parse marks.
std::string hits_json(const search_page& page);

/// Returns {model, mcpServers}; null where the chat overrides nothing.
std::string overrides_json(const chat_overrides& what);

/// Reads the JSON of overrides_json(). @return request_invalid; unknown members are refused
failure parse_overrides(std::string_view json, chat_overrides& out);

/// Returns {usage: [{day, model, turns, requests, usage}], total: {turns, requests, usage}}.
std::string usage_json(const usage_table& table);

// -- checks ---------------------------------------------------------------------------------------

/// Refuses an id of a client unless it has 1 to 256 bytes and no control characters.
failure check_conversation_id(std::string_view id);

/// Refuses a title of more than max_title_bytes.
failure check_title(std::string_view title);

/// Returns whether it is "" or a day of the calendar, "2026-11-21".
bool is_day(std::string_view text);

} // namespace troupe

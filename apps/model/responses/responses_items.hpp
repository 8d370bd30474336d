// The items of an answer in OpenAI's responses, and the answer around them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

inline constexpr std::string_view reasoning_item_id = "rs_troupe";
inline constexpr std::string_view message_item_id = "msg_troupe";

/// Returns the id of the item of a call. It holds call and tool, because a request may name the
/// item by its id alone: "fc_call_000001.echo".
std::string call_item_id(const tool_call& call);

/// The items; @param done with all that they hold, and not as they begin
std::string reasoning_item(const answer& what, bool done);
std::string message_item(const answer& what, bool done);
std::string call_item(const tool_call& call, bool done);

/// Returns a part of a message: {"type":"output_text",...}.
std::string text_part(std::string_view text);

/// Returns the object of an answer.
/// @param status "in_progress", "completed", "incomplete", "failed"
/// @param output JSON array @param tokens 0 with in_progress: usage is null
std::string response_object(const answer& what, const chat_call& call, std::string_view status,
                            std::string_view output, size_t tokens);

/// Returns the status that the answer ends with.
std::string_view response_status(const answer& what);

/// Returns all items, as a JSON array.
std::string output_of(const answer& what);

/// dialect::whole.
std::string responses_body(const answer& what, const chat_call& call);

} // namespace troupe::scripted

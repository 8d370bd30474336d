// A response in a conversation that is kept.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/store/conversation.hpp"
#include "messages/wire/clients/responses/response_id.hpp"
#include "messages/wire/clients/responses/response_object.hpp"

namespace troupe {

/// The id of the message that holds `instructions`: they are of one response, and not of the next.
inline constexpr std::string_view instructions_id = "msg_instructions";

/// Returns the history that continues after a response: all up to the end of its answer, without
/// instructions; empty if the conversation has no such answer (any more).
/// @param last set to whether nothing follows it in the conversation
std::vector<chat_message> history_behind(const conversation& chat, const response_place& place,
                                         bool& last);

/// Returns the items of a response that is kept; none if the conversation has no such answer (any
/// more).
std::vector<response_item> kept_items_of(const conversation& chat, const response_place& place);

/// Writes a response that is kept; "" if the conversation has no such answer (any more).
/// @param id of the response, which says `place`
std::string kept_response(const conversation& chat, std::string_view id,
                          const response_place& place);

} // namespace troupe

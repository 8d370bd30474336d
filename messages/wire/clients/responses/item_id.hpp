// The id of an output item: where it is found again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "messages/wire/clients/responses/response_id.hpp"
#include "messages/wire/clients/responses/response_items.hpp"

namespace troupe {

/// Which item of a response's output it is. A conversation counts them in the same way.
struct item_number {
  size_t of = 0; ///< a text, a reasoning: the answer's number in the turn; a call: its number in it
  size_t part = 0; ///< texts and reasonings of one answer, where others stand between them
};

/// Returns an id that says where the item is: "msg_0_PLACE", "mcp_2_PLACE"; a new one that says
/// nothing if its response is not kept.
/// @param place place_text() of the response; "" = it is not kept
std::string make_item_id(response_kind kind, const item_number& number, std::string_view place);

/// Returns the place of the response that an item's id says; nothing for the id of an item that is
/// not kept, or of another server.
std::optional<response_place> place_of_item(std::string_view id);

/// Returns the id of an item as a conversation has it: there a custom call is a call, and the parts
/// of a text are one. @param id one that says a place
std::string kept_id_of(std::string_view id);

} // namespace troupe

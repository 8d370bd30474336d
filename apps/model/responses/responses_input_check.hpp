// The rules that OpenAI holds the input of a response to.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `input`, a list of items. Fails with errc::request_invalid, naming the item. Any thread.
/// @param stores false: items must not be named by their ids, and sealed content has to be there
failure check_responses_input(simdjson::dom::array input, bool stores);

/// Takes an id of an item of a call apart, which call_item_id() made.
/// @return false if it is none
bool split_call_item_id(std::string_view id, std::string_view& call, std::string_view& name);

} // namespace troupe::scripted

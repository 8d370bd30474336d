// The messages of our own turn requests.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads `[{role, content, reasoning?, tool_calls?, tool_call_id?}...]`, where a call is
/// `{id, name, arguments}` or as OpenAI has it, `{id, type, function: {name, arguments}}`, with
/// arguments as an object or as its JSON text. Unknown keys are errors; every failure names the
/// place.
/// @param array a slice of a json_source
failure read_native_messages(std::string_view array, std::vector<chat_message>& out);

} // namespace troupe

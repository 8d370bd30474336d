// The request of Anthropic's messages.
#pragma once

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// dialect::check: nobody may send a member that Anthropic does not know; a user begins, roles take
/// turns, each tool_use is answered in the next message, in front of all else; nothing is blank;
/// thoughts have the signature that came with them.
failure check_anthropic(simdjson::dom::object request, chat_call& out);

/// dialect::talk.
conversation talk_of_anthropic(simdjson::dom::object request);

} // namespace troupe::scripted

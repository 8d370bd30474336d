// The request of Gemini.
#pragma once

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// dialect::check: no name that the API does not know, parts with exactly one content, as many
/// function responses in one content as there were calls, in their order and with their names, and
/// signatures that are those that came, or the value that skips the check.
failure check_gemini(simdjson::dom::object request, chat_call& out);

/// dialect::talk.
conversation talk_of_gemini(simdjson::dom::object request);

} // namespace troupe::scripted

// The request of OpenAI's responses.
#pragma once

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// dialect::check: no unknown parameter; each function_call has its output after it, and each
/// output its call; a reasoning item stands right in front of what it belongs to, with the content
/// that was sealed. An item may be named by its id, unless the request says `"store":false`.
failure check_responses(simdjson::dom::object request, chat_call& out);

/// dialect::talk.
conversation talk_of_responses(simdjson::dom::object request);

} // namespace troupe::scripted

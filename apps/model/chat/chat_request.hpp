// The request of a chat completion.
#pragma once

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// dialect::check and dialect::talk.
failure check_chat(simdjson::dom::object request, chat_call& out);
conversation talk_of_chat(simdjson::dom::object request);

} // namespace troupe::scripted

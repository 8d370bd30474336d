// The request of Ollama's chat.
#pragma once

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// dialect::check: types as the server's are, and members that it knows: others it would ignore,
/// which nobody would notice. Each call has its result after it, which names the tool.
failure check_ollama(simdjson::dom::object request, chat_call& out);

/// dialect::talk.
conversation talk_of_ollama(simdjson::dom::object request);

} // namespace troupe::scripted

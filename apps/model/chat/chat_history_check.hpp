// The rules that providers hold a chat history to.
#pragma once

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `messages` of a request, as strictly as the strictest provider or chat template does: a
/// system message is the first, then a user and the assistant alternate, and the last is a user's
/// or a result. Every tool call is answered by one result right after its message, and nothing
/// else is; ids of calls are unique, their arguments JSON objects. Nothing is empty, and images are
/// PNG, JPEG, GIF or WebP. Fails with errc::request_invalid, naming the message. Any thread.
failure check_history(simdjson::dom::array messages);

} // namespace troupe::scripted

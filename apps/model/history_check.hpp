// The rules that a provider holds a chat history to.
#pragma once

#include <string>

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Returns errc::request_invalid with this text.
failure invalid_request(std::string text);

/// Checks `messages` of a request: every message has a known role and content that fits it, every
/// tool call is answered before the next message that is no tool result, and nothing else is.
/// Fails with errc::request_invalid, naming the message. Any thread.
failure check_history(simdjson::dom::array messages);

/// Checks `tools` of a request: every one is a function with a name of 1 to 64 characters of
/// [A-Za-z0-9_-], no name twice. Fails with errc::request_invalid. Any thread.
failure check_tools(simdjson::dom::array tools);

} // namespace troupe::scripted

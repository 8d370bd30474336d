// The rules that OpenAI holds the tools of a chat completion to.
#pragma once

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `tools` of a request: not empty, every one is a function with a name of 1 to 64
/// characters of [A-Za-z0-9_-], no name twice, each schema as schema_fault() demands it, with
/// `properties`. Fails with errc::request_invalid, naming the tool. Any thread.
failure check_chat_tools(simdjson::dom::array tools);

} // namespace troupe::scripted

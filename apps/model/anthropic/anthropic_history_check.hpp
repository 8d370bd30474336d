// The rules that Anthropic holds the messages of a request to.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `messages`. Fails with errc::request_invalid, naming the block. Any thread.
/// @param may_go_on the last message may be an answer, which the model continues with
failure check_anthropic_history(simdjson::dom::array messages, bool may_go_on);

/// Checks one block of a system message, a user's message, an answer or a result; `role` is
/// "system", "user", "assistant" or "result".
failure check_anthropic_block(simdjson::dom::element block, std::string_view role,
                              const std::string& place);

} // namespace troupe::scripted

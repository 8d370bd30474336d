// Why an answer ended, in the words of chat-completions servers.
#pragma once

#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// Returns the reason that a server calls `name`; other vendors' words are known, too. `other` for
/// one that is not.
finish_reason openai_finish_reason(std::string_view name);

} // namespace troupe

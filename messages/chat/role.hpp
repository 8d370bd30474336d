// Who speaks in a chat.
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// Who speaks in a chat message; the names are OpenAI's.
enum class role : uint8_t { system, user, assistant, tool };

std::string to_string(role who);

} // namespace troupe

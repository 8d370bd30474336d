// A turn of a chat in the terminal.
#pragma once

#include <string>

#include "apps/troupe/chat/chat_state.hpp"

namespace troupe {

/// Sends a message with what is set for it, shows the answer, and asks the person at the terminal
/// what the turn asks: approvals of calls, questions of MCP servers. Without a person they are
/// denied at once, unless another client of the server may answer. Files and the system message
/// stay set for the next message if this one was not taken.
/// @return an exit code; what went wrong stands on stderr
int run_turn(chat_state& chat, const std::string& text);

} // namespace troupe

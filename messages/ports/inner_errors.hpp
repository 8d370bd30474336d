// Failures of models and MCP servers, as clients may see them.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Returns whether the text of such a failure may hold what only operators should see: addresses
/// behind the server, and texts of providers.
bool may_hold_inner_text(errc code) noexcept;

/// Puts the code's own text in the place of such a text, and logs that as a warning.
/// @param what failed, for the log: "model", "tool" @param session_id of the chat
void hide_inner_text(log_port* log, std::string_view what, const std::string& session_id, errc code,
                     std::string& text);

} // namespace troupe

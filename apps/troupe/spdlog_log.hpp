// Log lines on stderr, one JSON object each.
#pragma once

#include <memory>
#include <string>

#include "messages/ports/log_port.hpp"

namespace troupe {

/// Makes the log. It writes on a thread of its own, so that a slow reader of stderr slows no
/// caller; the oldest lines are lost if the reader cannot keep up. Its destructor writes the rest.
/// @param level the least one that is taken: "debug", "info", "warning" or "error"
/// @return nullptr with "off"
std::shared_ptr<log_port> make_spdlog_log(const std::string& level);

} // namespace troupe

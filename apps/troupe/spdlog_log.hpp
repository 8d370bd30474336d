// Log lines on stderr, one JSON object each.
#pragma once

#include <memory>
#include <string>

#include "messages/ports/log_port.hpp"

namespace troupe {

/// Makes the log. Lines are written by a thread of its own, so that a reader of stderr that is slow
/// slows nobody; of lines that can not be kept up with, the oldest are lost. At its end the rest is
/// written.
/// @param level the least one that is taken: "debug", "info", "warning" or "error"
/// @return nullptr with "off"
std::shared_ptr<log_port> make_spdlog_log(const std::string& level);

} // namespace troupe

// What is piped into a command.
#pragma once

#include <string>

namespace troupe {

/// Returns whether stdin is a pipe, a socket or a file: something that was given on purpose. A
/// terminal and /dev/null are not.
bool has_piped_input();

/// Reads stdin to its end. When nothing comes for a while stderr says what is waited for.
std::string read_piped_input();

} // namespace troupe

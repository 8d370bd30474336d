// Options that the environment gives where the command line has none.
#pragma once

#include <CLI/CLI.hpp>

namespace troupe {

/// Sets --server and --config of a command that was parsed from TROUPE_SERVER and TROUPE_CONFIG,
/// as far as it has these options. An option that says where to work (--server, --config, --data,
/// --model-url, --owner) wins over TROUPE_SERVER, and --server and --config over TROUPE_CONFIG;
/// TROUPE_SERVER comes first. A variable that is empty is not set. Main thread, in the command's
/// callback.
void take_environment(CLI::App& sub);

} // namespace troupe

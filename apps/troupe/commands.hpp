// The subcommands of `troupe`; each adds itself to the command line and returns an exit code when
// run.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace troupe {

/// Exit codes of all commands; 0 is success.
enum exit_code : int {
  exit_failed = 1,    ///< the turn, the tool or the server failed; the reason is on stderr
  exit_usage = 2,     ///< command line or configuration
  exit_aborted = 130, ///< stopped by a second signal
  exit_unread = 141,  ///< nobody reads stdout any more; as if SIGPIPE had ended the process
};

/// The action of a chosen command. Empty while none was chosen.
using command = std::function<int()>;

void add_serve(CLI::App& app, command& chosen);
void add_chat(CLI::App& app, command& chosen);
void add_mcp(CLI::App& app, command& chosen);
void add_conversations(CLI::App& app, command& chosen);
void add_model(CLI::App& app, command& chosen);
void add_keys(CLI::App& app, command& chosen);
void add_cluster(CLI::App& app, command& chosen);
void add_store(CLI::App& app, command& chosen);

} // namespace troupe

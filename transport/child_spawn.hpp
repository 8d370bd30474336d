// How a child process comes into being: what it inherits, and how a failed start is told.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "transport/descriptor.hpp"

namespace troupe {

/// What to start.
struct child_command {
  std::vector<std::string> argv; ///< program and arguments; the program is looked up in PATH
  std::map<std::string, std::string> env; ///< added to the inherited set; may be secret
  std::string cwd;                        ///< working folder; empty = ours
};

/// A process that was forked: the leader of a process group of its own, with three pipes. The pipe
/// ends are ours, non-blocking and close-on-exec.
struct spawned_child {
  pid_t pid = -1;
  descriptor exited; ///< pidfd: readable once the process has ended
  descriptor input;  ///< its stdin
  descriptor output; ///< its stdout
  descriptor errors; ///< its stderr
  descriptor start;  ///< at end of file the program runs; data in it tells why it does not
};

/// Returns the environment a child gets, as NAME=value: HOME, LOGNAME, PATH, SHELL, TERM, USER and
/// LANG from ours, and everything in `added`, which wins. Exported shell functions are left out.
std::vector<std::string> child_environment(const std::map<std::string, std::string>& added);

/// Returns the file to execute for `program`: itself if there is a slash in it, else the first
/// executable of that name in `path` (folders separated by ':'; relative ones are not searched).
/// @param reason set to an errno if there is none; the result is then empty
std::string find_program(std::string_view program, std::string_view path, int& reason);

/// Forks and executes. Blocks for the time of a fork; does not wait for the execution. Every
/// descriptor but the three is closed in the child, every signal is unblocked and has its default
/// action, and the child gets SIGTERM when the calling thread ends.
/// @param made the process; untouched on failure
/// @returns server_start_failed with a sentence for the operator, or none
failure spawn_child(const child_command& command, spawned_child& made);

/// Reads what the child wrote to `start`. Returns nothing as long as it is not known or if the
/// program runs, else server_start_failed with a sentence. Never blocks.
/// @param known set when the answer is final
failure start_failure(const spawned_child& child, const child_command& command, bool& known);

} // namespace troupe

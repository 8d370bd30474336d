// How a child process comes into being: what it inherits, and how a failed start is told.
#pragma once

#include <sys/types.h>

#include <atomic>
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

/// The pipes of a child: our ends, which do not block, or its own. All are close-on-exec.
struct child_pipes {
  descriptor input;  ///< its stdin
  descriptor output; ///< its stdout
  descriptor errors; ///< its stderr
  descriptor start;  ///< at end of file the program runs; data in it tells why it does not
};

/// A process, the leader of a process group of its own, that has to be reaped.
struct spawned_child {
  pid_t pid = -1;    ///< -1: there is none
  descriptor exited; ///< pidfd: readable once the process has ended
};

/// Returns the environment a child gets, as NAME=value: HOME, LOGNAME, PATH, SHELL, TERM, USER and
/// LANG from ours, and everything in `added`, which wins. Exported shell functions are left out.
std::vector<std::string> child_environment(const std::map<std::string, std::string>& added);

/// Returns the file to execute for `program`: itself if there is a slash in it, else the first
/// executable of that name in `path` (folders separated by ':'; relative ones are not searched).
/// @param reason set to an errno if there is none; the result is then empty
std::string find_program(std::string_view program, std::string_view path, int& reason);

/// Opens both ends of a child's pipes.
/// @returns server_start_failed with a sentence for the operator, or none
failure open_pipes(const child_command& command, child_pipes& ours, child_pipes& its);

/// Returns that a program can not be started, and why in words. @param reason an errno
failure cannot_start(std::string_view program, int reason);

/// Starts the program and returns when it runs or can not; why not is written to `its.start`. Call
/// it on a thread that blocks all signals and lives as long as the child may: the thread is
/// suspended meanwhile (other threads go on), and its end is a SIGTERM for the child. Every
/// descriptor but the three is closed in the child, every signal is unblocked and has its default
/// action.
/// @param environment as NAME=value, the whole of it
/// @param its the child's ends; not closed here
/// @param begun set to the process's id as soon as there is one, while this still waits for it
/// @returns the process, also one that could not execute the program, or none
spawned_child spawn_child(child_command command, std::vector<std::string> environment,
                          const child_pipes& its, std::atomic<pid_t>& begun);

/// Reads what was written to the other end of `start`. Returns nothing as long as it is not known
/// or if the program runs, else server_start_failed with a sentence. Never blocks.
/// @param known set when the answer is final
failure start_failure(const descriptor& start, const child_command& command, bool& known);

} // namespace troupe

// Starting a child process: its inheritance, and the report of a failed start.
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

/// A program to start.
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
  descriptor start;  ///< end of file: the program runs; data tells why it does not
};

/// A process that must be reaped; the leader of its own process group.
struct spawned_child {
  pid_t pid = -1;    ///< -1: there is none
  descriptor exited; ///< pidfd: readable once the process has ended
};

/// Returns the environment a child gets, as NAME=value: HOME, LOGNAME, PATH, SHELL, TERM, USER and
/// LANG from ours, and everything in `added`, which wins. Exported shell functions are left out.
std::vector<std::string> child_environment(const std::map<std::string, std::string>& added);

/// Returns the file to execute for `program`: itself if it has a slash, else the first executable
/// of that name in `path` (folders separated by ':'; relative ones are not searched).
/// @param reason set to an errno if there is none; the result is then empty
std::string find_program(std::string_view program, std::string_view path, int& reason);

/// Opens both ends of a child's pipes.
/// @returns server_start_failed with a sentence for the operator, or none
failure open_pipes(const child_command& command, child_pipes& ours, child_pipes& its);

/// Returns the failure of a program that cannot be started, with the reason. @param reason an errno
failure cannot_start(std::string_view program, int reason);

/// Starts the program. Returns when it runs or has failed; the reason of a failure is written to
/// `its.start`. Call it on a thread that blocks all signals and lives as long as the child: the
/// thread is suspended meanwhile (other threads go on), and its end is a SIGKILL for the child. In
/// the child every descriptor but the three is closed, and every signal is unblocked and has its
/// default action.
/// @param environment the whole environment, as NAME=value
/// @param its the child's ends; not closed here
/// @param begun set to the process's id as soon as there is one, while this call still waits
/// @returns the process, also one that could not execute the program, or none
spawned_child spawn_child(child_command command, std::vector<std::string> environment,
                          const child_pipes& its, std::atomic<pid_t>& begun);

/// Reads the report from the other end of `start`. Returns no failure while the result is not known
/// or if the program runs, else server_start_failed with a sentence. Never blocks.
/// @param known set when the answer is final
failure start_failure(const descriptor& start, const child_command& command, bool& known);

} // namespace troupe

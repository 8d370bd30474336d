// The head of every report, before its figures: which command, when, on which machine.
#pragma once

#include <string>

namespace troupe::bench {

/// Where the generator ran.
struct machine {
  unsigned cores = 0; ///< that this process may use
  std::string cpu;    ///< its model, as the kernel names it
  std::string kernel; ///< "Linux 6.1.0-18-amd64 x86_64"
};

/// The command, the time and the machine of a run.
struct report_head {
  std::string command; ///< for a shell; without the values of header fields
  std::string started; ///< UTC, "2026-01-31T12:00:00Z"
  machine on;
};

/// Looks at the machine and the clock.
report_head make_report_head(int argc, const char* const* argv);

/// Returns the command line for a shell. Values of --header are left out: they may be secret.
std::string shown_command(int argc, const char* const* argv);

} // namespace troupe::bench

// One line on stderr that tells how a run continues.
#pragma once

#include "apps/bench/load/runner.hpp"

namespace troupe::bench {

/// Rewrites its line each second, on a terminal only. Its destructor erases the line.
class progress_line {
public:
  /// @param quiet say nothing
  explicit progress_line(bool quiet);
  ~progress_line();

  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void show(const progress& now);

private:
  bool on_;
};

/// Returns what the line says of a run.
std::string progress_text(const progress& now);

} // namespace troupe::bench

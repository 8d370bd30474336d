// Where the reports go.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"
#include "messages/errors.hpp"

namespace troupe::bench {

/// The outputs that the command line names.
class report_files {
public:
  void add_to(CLI::App& app);

  /// Checks before the run that the files can be written after it. Leaves no file behind.
  failure check() const;

  /// Writes all outputs; the table goes to stdout unless another output does.
  failure write(const report_head& head, const bench_outcome& outcome) const;

  bool quiet() const { return quiet_; }

private:
  std::string json_, csv_, html_, hgrm_;
  bool quiet_ = false;
};

} // namespace troupe::bench

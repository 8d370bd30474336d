// The command line of troupe-bench, as far as it says what is to be run.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/bench/plan/plan.hpp"
#include "messages/errors.hpp"

namespace troupe::bench {

/// Offers options and makes a plan of what was given. A malformed value is a CLI::ParseError of the
/// parse. Must outlive the app's parse.
class plan_options {
public:
  plan_options() = default;
  plan_options(const plan_options&) = delete;
  plan_options& operator=(const plan_options&) = delete;

  void add_to(CLI::App& app);

  /// Makes the plan once the command line was parsed; an incomplete one where that fails.
  /// @return request_invalid where options do not go together, with what is missing
  failure make(bench_plan& out);

private:
  void add_target(CLI::App& app);
  void add_mcp(CLI::App& app);
  void add_arrivals(CLI::App& app);
  void add_work(CLI::App& app);
  void add_readers(CLI::App& app);
  void add_bounds(CLI::App& app);
  void add_sweep(CLI::App& app);
  void add_judgement(CLI::App& app);
  failure finish_steps(bench_plan& plan) const;
  static failure finish_work(const bench_plan& plan);
  failure finish_mcp(target_spec& target);

  bench_plan plan_;
  std::vector<double> histories_;
  std::string mcp_command_;
  std::string mcp_url_;
  CLI::Option* length_ = nullptr;
};

} // namespace troupe::bench

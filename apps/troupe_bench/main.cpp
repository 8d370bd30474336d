#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/bench/load/runner.hpp"
#include "apps/bench/options/plan_options.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/targets.hpp"
#include "apps/troupe_bench/progress_line.hpp"
#include "apps/troupe_bench/report_files.hpp"
#include "messages/version.hpp"
#include "transport/descriptor_limit.hpp"

namespace troupe::bench {

namespace {

/// Exit codes, as in docs/bench.md.
enum exit_code : int {
  exit_failed = 1,  ///< the target could not be reached, or a report not be written
  exit_usage = 2,   ///< command line
  exit_missed = 3,  ///< an objective was missed
  exit_invalid = 4, ///< the figures are not to be trusted
};

constexpr const char* examples = R"(Examples:
  troupe-bench http://127.0.0.1:8080 --rate 200 --duration 30s --warm-up 5s
  troupe-bench http://127.0.0.1:8080 --sweep 10:5000 --html report.html
  troupe-bench http://127.0.0.1:8000 --target openai --model text --poisson 50
  troupe-bench --target mcp --mcp-command 'node server.js' --tool echo --concurrency 8
  troupe-bench --target engine --concurrency 64 --slo 'first_text:p99<0.5ms'

Exit codes: 0 fine, 1 it could not run, 2 bad usage, 3 an objective was missed, 4 the generator
was the bottleneck: do not use the figures. Ctrl-C ends a run early, with a report.
)";

std::atomic<bool> interrupted{false};

/// The first Ctrl-C asks the run to end; the second ends the process.
void end_early_on_signals() {
  struct sigaction how {};
  how.sa_handler = [](int) { interrupted = true; };
  how.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &how, nullptr);
  sigaction(SIGTERM, &how, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int complain(const failure& why, exit_code code) {
  fmt::print(stderr, "troupe-bench: {}\n", why.text());
  return code;
}

int print_ceiling(const bench_plan& plan) {
  auto lanes = plan.lanes == 1 ? std::string{"1 lane"} : fmt::format("{} lanes", plan.lanes);
  fmt::print("{:.0f} turns/s with {}, without any transport\n", ceiling(plan), lanes);
  return 0;
}

/// Each running turn takes a descriptor, and an open loop has no known number of turns. More than
/// 65,536 only if the user allows them: each costs time in libwebsockets, which the engine
/// in-process uses.
void allow_descriptors() {
  constexpr size_t cheap = 65'536;
  set_descriptor_limit(cheap, SIZE_MAX);
}

int run_plan(const bench_plan& plan, const report_files& files, const report_head& head) {
  if (auto bad = files.check())
    return complain(bad, exit_usage);
  end_early_on_signals();
  allow_descriptors();
  shards lanes{plan.lanes};
  auto targets = make_targets(plan, lanes);
  if (auto bad = targets->check())
    return complain(bad, exit_failed);
  bench_outcome outcome;
  {
    progress_line line{files.quiet()};
    outcome =
        run(plan, lanes, *targets,
            {[&line](const progress& now) { line.show(now); }, [] { return interrupted.load(); }});
  }
  sort_steps(outcome);
  if (auto bad = files.write(head, outcome))
    return complain(bad, exit_failed);
  if (!doubts(outcome).empty())
    return exit_invalid;
  return objectives_met(outcome) ? 0 : exit_missed;
}

int main_of(int argc, char** argv) {
  CLI::App app{"Loads chat engines, models, gateways and MCP servers, and measures them",
               "troupe-bench"};
  app.set_version_flag("--version", std::string{"troupe-bench "} + std::string{version});
  plan_options options;
  report_files files;
  bool only_ceiling = false;
  options.add_to(app);
  files.add_to(app);
  app.add_flag("--ceiling", only_ceiling,
               "Print how many turns/s this generator can start, and end")
      ->group("Reports");
  app.footer(examples);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& what) {
    return app.exit(what) == 0 ? 0 : exit_usage;
  }
  bench_plan plan;
  if (auto bad = options.make(plan); bad && !only_ceiling)
    return complain(bad, exit_usage);
  return only_ceiling ? print_ceiling(plan) : run_plan(plan, files, make_report_head(argc, argv));
}

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  try {
    return troupe::bench::main_of(argc, argv);
  } catch (const std::exception& what) {
    fmt::print(stderr, "troupe-bench: {}\n", what.what());
    return troupe::bench::exit_failed;
  }
}

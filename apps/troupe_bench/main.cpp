#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/bench/load/runner.hpp"
#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/options/plan_options.hpp"
#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/report/report_head.hpp"
#include "apps/bench/report/reports.hpp"
#include "apps/bench/targets.hpp"
#include "messages/errors.hpp"
#include "messages/version.hpp"
#include "transport/descriptor_limit.hpp"
#include "transport/dump_protection.hpp"

namespace troupe::bench {

// -- report files ---------------------------------------------------------------------------------

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

namespace {

constexpr std::string_view standard_output = "-";

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

failure file_failure(const std::string& path) {
  return {errc::config_invalid, fmt::format("{}: {}", path, std::strerror(errno))};
}

failure write_file(const std::string& path, std::string_view text) {
  if (path.empty())
    return {};
  std::unique_ptr<std::FILE, close_file> file;
  auto* to = stdout;
  if (path != standard_output) {
    file.reset(std::fopen(path.c_str(), "wbe"));
    if (!file)
      return file_failure(path);
    to = file.get();
  }
  auto written = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  return written && std::fflush(to) == 0 ? failure{} : file_failure(path);
}

/// Returns whether a file may be made there.
failure check_file(const std::string& path) {
  if (path.empty() || path == standard_output)
    return {};
  std::error_code ignored;
  auto existed = std::filesystem::exists(path, ignored);
  std::unique_ptr<std::FILE, close_file> file{std::fopen(path.c_str(), "abe")};
  if (!file)
    return file_failure(path);
  if (!existed)
    std::filesystem::remove(path, ignored);
  return {};
}

/// Writes a file per run and metric: "first_text.hgrm", or of several runs "2-first_text.hgrm".
failure write_histograms(const std::string& folder, const bench_outcome& outcome) {
  for (size_t i = 0; i < outcome.runs.size(); ++i) {
    auto before = outcome.runs.size() == 1 ? std::string{} : fmt::format("{}-", i + 1);
    for (auto which : all_metrics) {
      const auto& times = outcome.runs[i][which];
      auto path = fmt::format("{}/{}{}.hgrm", folder, before, to_string(which));
      if (times.count() > 0)
        if (auto bad = write_file(path, report_hgrm(times)))
          return bad;
    }
  }
  return {};
}

} // namespace

void report_files::add_to(CLI::App& app) {
  auto add = [&app](const char* name, std::string& into, const char* type, const char* help) {
    app.add_option(name, into, help)->type_name(type)->group("Reports");
  };
  add("--json", json_, "FILE",
      "Write everything as JSON; - is stdout, and then no table, also below");
  add("--csv", csv_, "FILE", "Write the figures and the timeline, one figure per line");
  add("--html", html_, "FILE", "Write a page with plots");
  add("--hgrm", hgrm_, "FOLDER", "Write the percentile distributions, for HdrHistogram's tools");
  app.add_flag("--quiet", quiet_, "No progress and no table")->group("Reports");
}

failure report_files::check() const {
  const std::array files{&json_, &csv_, &html_};
  if (std::count_if(files.begin(), files.end(),
                    [](const auto* path) { return *path == standard_output; }) > 1)
    return {errc::config_invalid, "of --json, --csv and --html one can be - (stdout)"};
  for (const auto* path : files)
    if (auto bad = check_file(*path))
      return bad;
  if (hgrm_.empty())
    return {};
  std::error_code error;
  std::filesystem::create_directories(hgrm_, error);
  return error ? failure{errc::config_invalid, fmt::format("{}: {}", hgrm_, error.message())}
               : failure{};
}

failure report_files::write(const report_head& head, const bench_outcome& outcome) const {
  const bool is_taken =
      json_ == standard_output || csv_ == standard_output || html_ == standard_output;
  if (!quiet_ && !is_taken)
    fmt::print("{}", report_table(head, outcome, isatty(STDOUT_FILENO) != 0));
  if (!json_.empty())
    if (auto bad = write_file(json_, report_json(head, outcome) + "\n"))
      return bad;
  if (!csv_.empty())
    if (auto bad = write_file(csv_, report_csv(outcome)))
      return bad;
  if (!html_.empty())
    if (auto bad = write_file(html_, report_html(head, outcome)))
      return bad;
  return hgrm_.empty() ? failure{} : write_histograms(hgrm_, outcome);
}

// -- progress line --------------------------------------------------------------------------------

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

namespace {

constexpr const char* erase_line = "\r\033[K";

// A line that is longer than the terminal is cut off: what wraps could not be erased any more.
constexpr const char* wrap_off = "\033[?7l";
constexpr const char* wrap_on = "\033[?7h";

} // namespace

progress_line::progress_line(bool quiet) : on_{!quiet && isatty(STDERR_FILENO) != 0} {}

progress_line::~progress_line() {
  if (on_)
    fmt::print(stderr, "{}", erase_line);
}

void progress_line::show(const progress& now) {
  if (!on_)
    return;
  fmt::print(stderr, "{}{}{}{}", erase_line, wrap_off, progress_text(now), wrap_on);
  std::fflush(stderr);
}

std::string progress_text(const progress& now) {
  auto out = fmt::format("{:.0f} s", now.seconds);
  if (!now.step.empty())
    out += "  " + now.step;
  if (now.warming_up)
    out += "  warming up";
  out += fmt::format("  {:.0f} turns/s  {} running  {} ended", now.turns_per_second, now.running,
                     now.ended);
  if (now.failed > 0)
    out += fmt::format("  {} failed", now.failed);
  if (now.first_text_p99_ns > 0)
    out += "  first text p99 " + duration_text(now.first_text_p99_ns);
  return out;
}

// -- main -----------------------------------------------------------------------------------------

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
  troupe::protect_from_dumps(); // its key is in the environment, and it starts MCP servers
  try {
    return troupe::bench::main_of(argc, argv);
  } catch (const std::exception& what) {
    fmt::print(stderr, "troupe-bench: {}\n", what.what());
    return troupe::bench::exit_failed;
  }
}

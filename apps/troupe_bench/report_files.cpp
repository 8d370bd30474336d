#include "apps/troupe_bench/report_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/bench/report/reports.hpp"

namespace troupe::bench {

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

} // namespace troupe::bench

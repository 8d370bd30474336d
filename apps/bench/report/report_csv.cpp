#include "apps/bench/report/reports.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"

namespace troupe::bench {

namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string{"\"\""} : std::string{c};
  return out + "\"";
}

class run_lines {
public:
  run_lines(std::string& out, const run_result& run, const std::string& name)
      : out_{out}, run_{run}, first_{fmt::format("{},{:.10g}", cell(name), load_of(run.plan))} {}

  void write() {
    write_totals("", figures_of(run_));
    line("total", "valid", "", run_.invalid.empty() ? 1 : 0);
    for (const auto& [code, count] : run_.failures)
      line("total", "failures", cell(code), count);
    write_usage("watched_", run_.watched);
    write_usage("own_", run_.own);
    for (auto which : all_metrics)
      if (run_[which].count() > 0)
        write_totals(std::string{to_string(which)} + "_", figures_of(run_[which]));
    for (size_t i = 0; i < run_.timeline.size(); ++i)
      for (const auto& each : figures_of(run_.timeline[i]))
        write_figure("second", std::string{each.name}, std::to_string(i), each);
  }

private:
  template <class T>
  void line(const char* kind, const std::string& figure, const std::string& at, T value) {
    fmt::format_to(std::back_inserter(out_), "{},{},{},{},{}\n", first_, kind, figure, at, value);
  }

  void write_figure(const char* kind, const std::string& name, const std::string& at,
                    const figure& shown) {
    std::visit([&](auto value) { line(kind, name, at, value); }, shown.value);
  }

  /// Writes the figures that CSV has. Quantiles share a name and differ in `at`.
  void write_totals(const std::string& of, const figure_rows& rows) {
    for (const auto& each : rows)
      if (each.is_quantile())
        write_figure("quantile", of + "ns", fmt::format("{}", each.at), each);
      else if (each.place != figure_place::json)
        write_figure("total", of + std::string{each.name}, "", each);
  }

  void write_usage(const std::string& who, const process_usage& usage) {
    if (usage.pid != 0)
      write_totals(who, figures_of(usage));
  }

  std::string& out_;
  const run_result& run_;
  std::string first_;
};

} // namespace

std::string report_csv(const bench_outcome& outcome) {
  std::string out = "run,load,kind,figure,at,value\n";
  for (size_t i = 0; i < outcome.runs.size(); ++i)
    run_lines{out, outcome.runs[i], run_name(outcome, i)}.write();
  return out;
}

} // namespace troupe::bench

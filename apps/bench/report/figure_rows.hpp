// The figures of all reports: their names, units and texts, and the tables made of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"

namespace troupe::bench {

/// The unit of a figure, which decides how people read it.
enum class figure_unit : uint8_t { count, bytes, rate, share, time_s, time_ns };

/// The reports for programs that have a figure. Each has the figures in the order of the rows.
enum class figure_place : uint8_t { everywhere, json, csv };

/// A figure as all reports have it. JSON and CSV show its name and value, people see its text.
struct figure {
  std::string_view name;
  std::variant<uint64_t, int64_t, double> value;
  figure_unit unit = figure_unit::count;
  figure_place place = figure_place::everywhere;
  double at = -1; ///< of a quantile, 0 to 1; 1: the largest value

  bool is_quantile() const { return at >= 0; }
};
using figure_rows = std::vector<figure>;

/// Return the figures of a run, of a second of it, of a process and of measured times.
figure_rows figures_of(const run_result& run);
figure_rows figures_of(const second_row& second);
figure_rows figures_of(const process_usage& usage);
figure_rows figures_of(const latency_histogram& times);

/// Returns the figure in its unit: "12,345", "27.3 KiB", "99.98 %", "120.5", "412 us".
std::string text_of(const figure& shown);

/// Returns the text of the figure with that name, which must be there.
std::string text_of(const figure_rows& rows, std::string_view name);

/// Returns the text of a cost, which is "-" where nothing was measured.
std::string cost_text(double ns);

/// Returns a count with commas: "12,345".
std::string count_text(uint64_t count);

/// Returns "512 B", "27.3 KiB", "1.2 GiB".
std::string bytes_text(uint64_t bytes);

/// Returns a share from 0 to 1 as "99.98 %".
std::string percent_text(double share);

/// Returns the result for an objective, in its unit, and of several runs how many met it.
std::string found_text(const objective_outcome& outcome);

/// Returns an objective and its result.
std::string objective_text(const objective_outcome& outcome);

/// Returns what a load is counted in: "sessions/s", "sessions at once" or "messages in the chat".
std::string_view load_unit(const bench_plan& plan);

/// Returns how much the generator can do, which must be known.
std::string ceiling_text(const bench_outcome& outcome);

/// Returns where the knee of a sweep is.
std::string knee_text(const bench_outcome& outcome);

/// A table: rows of cells.
using text_rows = std::vector<std::vector<std::string>>;
/// Names and texts, a list of facts.
using text_facts = std::vector<std::pair<std::string, std::string>>;

/// Returns the quantiles of everything that was measured, a row each, below a row of heads.
text_rows time_rows(const run_result& run);

/// Returns a row per run, below a row of heads.
text_rows run_rows(const bench_outcome& outcome);

/// Returns the machine, as a fact.
std::pair<std::string, std::string> machine_fact(const report_head& head);

/// Returns the target and the load.
text_facts plan_facts(const bench_plan& plan);

/// Returns the outcomes of the turns, and their costs.
text_facts run_facts(const run_result& run);

} // namespace troupe::bench

// The results of a run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/bench/measure/latency_histogram.hpp"
#include "apps/bench/plan/plan.hpp"
#include "messages/chat/usage.hpp"

namespace troupe::bench {

/// The measured times. They begin at the intended start: else a slow target would make the
/// generator ask less often, which hides its slowness (coordinated omission).
enum class metric : uint8_t {
  first_event,       ///< from the intended start to the first byte of the stream
  first_text,        ///< to the first piece of text
  between_tokens,    ///< from one piece of text to the next
  arguments_to_tool, ///< from the last byte of a call's arguments to the tool being asked
  tool,              ///< from asking a tool to its answer
  tool_to_model,     ///< from a tool's answer to the next model request
  turn,              ///< from the intended start to the end, of turns that ended well
  cancel,            ///< from cancelling to the end, where the target tells of it
  schedule_delay,    ///< from the intended start to the real one: the generator's own lateness
  lag,               ///< of a timer on each lane, every 10 ms, from when it was due until it fired
};
inline constexpr size_t metrics = 10;
inline constexpr std::array<metric, metrics> all_metrics{
    metric::first_event,    metric::first_text,
    metric::between_tokens, metric::arguments_to_tool,
    metric::tool,           metric::tool_to_model,
    metric::turn,           metric::cancel,
    metric::schedule_delay, metric::lag};

/// Returns the name, as in reports and objectives: "first_text".
std::string_view to_string(metric which);

/// One second of the run after its warm-up.
struct second_row {
  uint64_t started = 0, ended = 0, failed = 0, tokens = 0;
  uint64_t running = 0; ///< turns at its end
  double first_text_p99_ns = 0;
};

/// Resources that a process used during the run after its warm-up; all 0 when none was watched.
struct process_usage {
  int pid = 0;
  double cpu_seconds = 0;                             ///< user and system, without children
  uint64_t rss_first = 0, rss_most = 0, rss_last = 0; ///< bytes
  uint64_t descriptors_first = 0, descriptors_last = 0;
  size_t children = 0; ///< at the end, of which nothing is in the above
};

/// The figures of one run, and its verdict.
struct run_result {
  bench_plan plan;
  std::array<latency_histogram, metrics> times;
  const latency_histogram& operator[](metric which) const { return times[size_t(which)]; }

  double seconds = 0;     ///< measured, after the warm-up, without the drain
  uint64_t started = 0;   ///< turns
  uint64_t ended = 0;     ///< well
  uint64_t cancelled = 0; ///< by the plan
  uint64_t good = 0;      ///< ended well, within plan.good_first_text, without a stall
  uint64_t stalls = 0;    ///< gaps above plan.stall
  uint64_t cut_off = 0;   ///< still running when the drain was over, which is a failure
  uint64_t abandoned = 0; ///< still running when the run was stopped: nobody knows how they end
  uint64_t not_begun = 0; ///< sessions that were due, and the generator was too late for
  uint64_t tokens = 0, bytes = 0;
  uint64_t most_running = 0;
  /// Turns that ended well in the measured seconds, also ones begun before: base of rates and CPU.
  uint64_t ended_within = 0, good_within = 0;
  uint64_t counted_within = 0; ///< of these, turns whose tokens the model has counted
  usage used_within;           ///< of the counted_within turns
  int64_t running_growth = 0;  ///< turns under way at the end of the measured seconds less at begin
  double lane_busy = 0;        ///< of the busiest lane's thread: CPU time per time
  double client_busy = 0; ///< the same of the busiest thread of an MCP client; 0: no such threads
  std::map<std::string, uint64_t> failures;         ///< by code; never in the times
  std::map<std::string, std::string> failure_texts; ///< what the first of a code said, if it did
  std::vector<second_row> timeline;
  process_usage watched;
  process_usage own;
  uint64_t descriptor_limit = 0;    ///< of the generator, soft; 0: not known
  std::vector<std::string> invalid; ///< why the figures are not to be trusted; empty: they are
  std::vector<std::string> notes;   ///< what to know about them, as too few samples

  uint64_t failed() const;
  double offered() const;          ///< turns that began per second
  double turns_per_second() const; ///< that ended well
  uint64_t judged() const;         ///< turns that were neither cancelled nor abandoned
  double goodput() const;          ///< good turns per second
  double good_share() const;       ///< of turns neither cancelled nor abandoned; 0 to 1
  double cpu_per_turn() const;     ///< seconds of the watched process; 0 when none was watched
};

/// Whether an objective was met.
struct objective_outcome {
  objective asked;
  double found = 0;      ///< in the unit of asked.limit
  bool measured = false; ///< false: nothing to measure, which counts as not met
  bool met = false;
  std::string why{};     ///< why it is not met in spite of `found`: "3 of 100 turns failed"
  uint32_t runs = 1;     ///< that were judged: `found` is their median
  uint32_t runs_met = 0; ///< of these
};

/// Several runs that belong together: repeats, or the steps of a sweep.
struct bench_outcome {
  std::vector<run_result> runs;
  double knee = 0;          ///< of a sweep: the highest load kept up with; 0: none, or no sweep
  bool ended_early = false; ///< a sweep that was stopped: the knee is at least that
  double ceiling = 0;       ///< turns per second that the generator starts at most on this machine
  std::vector<objective_outcome> objectives; ///< of representative_run() of a sweep, else of all
};

} // namespace troupe::bench

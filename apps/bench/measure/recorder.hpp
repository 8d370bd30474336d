// The measurements of one lane: the observations of its turns become times and counts.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/target/target.hpp"

namespace troupe::bench {

/// The measurements of a running turn. Its times are counted only when it ends well.
struct turn_record {
  time_point intended, started;
  time_point first_event, first_text, last_text, last_tool_end; ///< zero: not yet, of the round
  std::vector<time_point> arguments, tools;                     ///< complete, asked; oldest first
  std::vector<std::pair<metric, nanoseconds>> spans;
  uint64_t bytes = 0;
  bool measured = false; ///< its intended start was after the warm-up
  bool slow = false;     ///< its reader is slow, so its times are not counted
  bool stalled = false;
};

/// One second of a lane.
struct lane_second {
  size_t number = 0; ///< after the warm-up, from 0
  second_row row;
  latency_histogram first_text;
};

/// The counts of a lane so far.
struct lane_counts {
  uint64_t running = 0, ended = 0, failed = 0; ///< since the begin of the run, with the warm-up
};

/// Counts the turns of one lane, in memory that does not grow with their number. Not thread safe.
///
/// Several pieces of text in one read have one gap before them, as a reader sees it: the pieces
/// after the first add no zeros. Calls of one round are paired with answers in order: the sum of
/// their times, and therefore the mean, does not depend on the pairing.
class recorder {
public:
  /// @param plan must outlive this
  recorder(const bench_plan& plan, time_point begin);

  void started(turn_record& turn, time_point intended, time_point at);

  /// Takes any observation but the last ones.
  void seen(turn_record& turn, const turn_observation& observation);

  void ended(turn_record& turn, const turn_observation& last);

  /// @param said by the target, or empty. The first 200 bytes of the first such text are kept
  void failed(turn_record& turn, const std::string& code, time_point at,
              std::string_view said = {});

  /// @param stopped from asking for the stop until the target had stopped; negative: not known
  void cancelled(turn_record& turn, nanoseconds stopped, time_point at);

  /// Takes a turn that the target did not end before the drain was over: it has failed.
  void cut_off(turn_record& turn, time_point at);

  /// Takes a turn that is cut off because the run is stopped, which is not the target's failure.
  void abandoned(turn_record& turn, time_point at);

  /// Counts sessions that were due and never began.
  void not_begun(uint64_t sessions) { totals_.not_begun += sessions; }

  /// Ends the measured time at `at`.
  void close_window(time_point at);

  /// Takes the seconds before number `before`. Later events of these count to the next one.
  std::vector<lane_second> take_seconds(size_t before);

  const lane_counts& counts() const { return counts_; }

  /// The totals; seconds, timeline and processes are not filled in.
  const run_result& totals() const { return totals_; }

private:
  bool within(time_point at) const { return at >= measured_ && at <= window_end_; }
  lane_second* second(time_point at);
  void fill(size_t end);
  void over(time_point at);
  void read(turn_record& turn, const turn_observation& observation);
  void text(turn_record& turn, const turn_observation& observation);
  void count_times(const turn_record& turn, time_point end);
  bool is_good(const turn_record& turn, time_point end) const;

  const bench_plan& plan_;
  time_point measured_; // the warm-up's end
  time_point window_end_ = time_point::max();
  std::deque<lane_second> seconds_; // not yet taken; without holes
  size_t next_second_ = 0;          // the number of the first of them
  lane_counts counts_;
  run_result totals_;
};

/// Adds a lane's totals to those of a run.
void add_totals(run_result& to, const run_result& lane);

} // namespace troupe::bench

// One lane of the generator: begins sessions and turns on one loop when they are due, whatever the
// target does, and watches them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apps/bench/load/arrivals.hpp"
#include "apps/bench/load/lane_session.hpp"
#include "apps/bench/measure/recorder.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/precise_timer.hpp"

namespace troupe::bench {

/// The identity of a lane in its run.
struct lane_place {
  uint32_t lane = 0;
  std::string run_id; ///< part of session ids, so that two runs have different ones
  time_point begin;   ///< of the run
};

/// The callbacks of a lane. Each is called once, on its loop.
struct lane_watch {
  std::function<void()> all_begun; ///< no further turn will begin
  std::function<void()> over;      ///< no turn runs any more
};

/// Open loop: an intended start is never moved. A turn that begins late is measured from its
/// intended start; sessions that have not begun when the drain is over count as not_begun. Between
/// two starts the loop waits in the kernel, except for the last 50 us if starts are rare
/// (spin_before()).
///
/// A session ends with its last turn, or with a failed one. With `concurrency` a new session then
/// takes its place, after the plan's think time.
///
/// The members, the constructor and the destructor are for the loop's thread only.
class lane : private loop_stage {
public:
  /// @param plan, to must outlive this
  lane(loop& home, const bench_plan& plan, lane_place where, target& to, lane_watch watch);
  ~lane() override;
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;

  /// Begins nothing more and cuts off what runs.
  void stop();

  recorder& figures() { return figures_; }

private:
  enum class phase : uint8_t { starting, draining, over };

  bool run() override;
  void pass();
  bool step();
  time_point next_due() const;
  void arm();
  void begin_session(time_point intended);
  void begin_turn(lane_session& which, time_point intended);
  bool may_begin(time_point intended) const;
  void wait(lane_session& which, time_point start);
  void on_observation(lane_session& which, const turn_observation& observation);
  void on_last(lane_session& which, const turn_observation& observation);
  void on_due(lane_session& which, time_point now);
  void cancel(lane_session& which, time_point now);
  void settle(lane_session& which, time_point at, bool goes_on);
  void go_on(uint64_t number);
  void give_up(time_point now);
  void begin_drain(time_point now);
  void cut_off_all(time_point now, void (recorder::*how)(turn_record&, time_point));
  void end_if_idle();
  void put_on_agenda(lane_session& which);
  void drop(lane_session& which);

  loop& home_;
  const bench_plan& plan_;
  lane_place where_;
  target& target_;
  lane_watch watch_;
  recorder figures_;
  arrivals arrivals_;
  std::optional<time_point> next_arrival_;
  std::unordered_map<uint64_t, lane_session> sessions_; // by number
  std::set<std::pair<time_point, uint64_t>> schedule_;  // by lane_session::due()
  std::vector<uint64_t> settled_;                       // sessions whose turn is over, for run()
  uint64_t next_number_ = 0;
  uint64_t left_ = 0;        // measured turns that may still begin
  const time_point run_end_; // no intended start from here on
  time_point phase_end_;     // of starting, then of draining
  time_point armed_ = lane_session::never;
  const nanoseconds spin_;
  phase phase_ = phase::starting;
  precise_timer timer_;
};

} // namespace troupe::bench

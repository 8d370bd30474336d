// One lane of the generator: begins sessions and turns on one loop when they are due, whatever the
// target does, and watches them.
#pragma once

#include <algorithm>
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
#include "apps/bench/load/random_source.hpp"
#include "apps/bench/measure/recorder.hpp"
#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/precise_timer.hpp"

namespace troupe::bench {

/// One session: it waits for its next turn, runs one, or has ended one (settled).
struct lane_session {
  enum class state : uint8_t { waiting, running, settled };
  static constexpr time_point never = time_point::max();

  lane_session(uint64_t seed, uint32_t lane, uint64_t in_lane)
      : number{in_lane}, draws{seed, lane, in_lane} {}

  const uint64_t number; ///< in its lane
  std::string id;
  session_draws draws;
  uint32_t turn = 0;

  state is = state::waiting;
  turn_draws drawn; ///< for the turn
  turn_record record;
  time_point start_at = never;     ///< of the turn it waits for
  time_point deadline = never;     ///< when the turn times out
  time_point cancel_at = never;    ///< when the plan cancels the turn
  time_point resume_at = never;    ///< when a slow reader reads on
  time_point cancelled_at{};       ///< when the turn was cancelled; zero: it was not
  time_point scheduled_at = never; ///< its time in lane::schedule_
  time_point ended{};
  bool goes_on = false;                  ///< once settled: its turn did not fail
  std::unique_ptr<running_turn> running; ///< destroyed first: its observations write above

  /// Returns when the lane has to act on the session without an observation.
  time_point due() const {
    if (is == state::waiting)
      return start_at;
    return is == state::running ? std::min({deadline, cancel_at, resume_at}) : never;
  }
};

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

/// Returns the text of a turn's message. A session goes through the plan's texts in turn; each
/// session begins with the next text, so that sessions of one turn use all texts, too. @param lane
/// below plan.lanes
/// @param session its number in the lane @param turn in the session, from 0
const std::string& user_text(const bench_plan& plan, uint32_t lane, uint64_t session,
                             uint32_t turn);

} // namespace troupe::bench

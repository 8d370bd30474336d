#include "apps/bench/load/runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/bench/load/generator.hpp"
#include "apps/bench/measure/process_probe.hpp"
#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/null_target.hpp"
#include "apps/bench/verdict/objectives.hpp"
#include "apps/bench/verdict/sweep.hpp"
#include "apps/bench/verdict/verdict.hpp"

namespace troupe::bench {

namespace {

using std::chrono::milliseconds;

/// Turns that each lane has under way when its ceiling is looked for.
constexpr uint32_t at_once_per_lane = 64;

/// Returns one run with its verdict.
run_result judged(const bench_plan& plan, const run_place& where, double limit,
                  const std::string& step) {
  auto out = run_once(plan, where, step);
  out.invalid = doubts(out, limit);
  out.notes = remarks(out);
  if (auto more = where.targets.route_note(); !more.empty())
    out.notes.push_back(std::move(more));
  return out;
}

using clock = std::chrono::steady_clock;
using std::chrono::seconds;

/// The time before the first start in which all lanes are made.
constexpr auto head_start = std::chrono::milliseconds{20};

/// The shortest time over which CPU use means anything.
constexpr auto least_measured = std::chrono::milliseconds{10};

constexpr auto every_second = std::numeric_limits<size_t>::max() / 2;

uint64_t descriptor_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

double in_seconds(nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// Returns a name that no other run has had: a target may keep its chats.
std::string new_run_id() {
  static std::atomic<uint32_t> runs{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}-{}-{}",
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count(), ::getpid(),
                     ++runs);
}

/// The state of a run between its begin and its result.
class single_run {
public:
  single_run(const bench_plan& plan, const run_place& where, const std::string& step)
      : where_{where}, step_{step}, begin_{clock::now() + head_start},
        measured_{begin_ + plan.bounds.warm_up}, watched_{pid_of(plan, where)}, own_{::getpid()} {
    result_.plan = plan;
    generator_.emplace(result_.plan, where.lanes, where.targets, begin_, new_run_id());
    window_end_ =
        plan.bounds.length.count() > 0 ? measured_ + plan.bounds.length : time_point::max();
  }

  run_result finish() {
    while (!generator_->wait_until(std::min({next_tick_, next_edge()})) && !stopped_)
      reach(clock::now());
    reach_end(clock::now());
    take_seconds(every_second);
    generator_->add_totals(result_);
    result_.watched = watched_.usage();
    result_.watched.children = children_of(result_.watched.pid); // looks through all processes
    generator_.reset();
    result_.own = own_.usage();
    result_.descriptor_limit = descriptor_limit();
    return std::move(result_);
  }

private:
  static int pid_of(const bench_plan& plan, const run_place& where) {
    return plan.watched_pid != 0 ? plan.watched_pid : where.targets.pid();
  }

  time_point next_edge() const {
    return !opened_ ? measured_ : !closed_ ? window_end_ : time_point::max();
  }

  /// The lanes are done, or were stopped; maybe in the warm-up, and then nothing was measured.
  void reach_end(time_point now) {
    if (now >= measured_)
      open_window();
    close_window(now);
  }

  void reach(time_point now) {
    if (now >= measured_)
      open_window();
    if (opened_ && generator_->all_begun())
      window_end_ = std::min(window_end_, now);
    if (now >= window_end_)
      close_window(now);
    if (now >= next_tick_)
      tick(now);
  }

  void open_window() {
    if (std::exchange(opened_, true))
      return;
    cpu_ = generator_->cpu_times();
    cpu_at_ = clock::now();
    running_ = generator_->counts().running;
    if (where_.targets.has_own_threads())
      client_ = thread_times();
    for (auto lane : generator_->threads())
      client_.erase(lane);
    watched_.begin();
    own_.begin();
  }

  void close_window(time_point now) {
    if (std::exchange(closed_, true) || !opened_)
      return;
    generator_->close_window(window_end_);
    measure_threads();
    watched_.end();
    own_.end();
    const auto end = std::min(now, window_end_);
    result_.seconds = std::max(in_seconds(end - measured_), 0.);
    result_.running_growth =
        static_cast<int64_t>(generator_->counts().running) - static_cast<int64_t>(running_);
  }

  /// Measures how busy the threads were. One start of a turn can fill a time below least_measured.
  void measure_threads() {
    const double passed = in_seconds(clock::now() - cpu_at_);
    if (passed < in_seconds(least_measured))
      return;
    const auto cpu = generator_->cpu_times();
    for (size_t i = 0; i < cpu.size(); ++i)
      result_.lane_busy = std::max(result_.lane_busy, in_seconds(cpu[i] - cpu_[i]) / passed);
    if (!client_.empty())
      result_.client_busy = busiest_share(client_, thread_times(), passed);
  }

  void tick(time_point now) {
    next_tick_ += seconds{1};
    if (opened_ && !closed_) {
      watched_.look();
      own_.look();
    }
    if (now > measured_)
      take_seconds(static_cast<size_t>((now - measured_) / seconds{1}));
    tell(now);
    if (where_.watch.stopped()) {
      stopped_ = true;
      window_end_ = std::min(window_end_, now);
      generator_->stop();
    }
  }

  void take_seconds(size_t before) {
    for (auto& each : generator_->take_seconds(before == every_second ? last_second() : before)) {
      each.row.first_text_p99_ns = static_cast<double>(each.first_text.quantile_ns(0.99));
      result_.timeline.push_back(each.row);
    }
  }

  /// Returns the number after the second that has begun, so that it is taken, too.
  size_t last_second() const {
    const auto now = clock::now();
    return now <= measured_ ? 0 : static_cast<size_t>((now - measured_) / seconds{1}) + 1;
  }

  void tell(time_point now) {
    const auto counts = generator_->counts();
    progress out;
    out.seconds = in_seconds(now - begin_);
    out.warming_up = now < measured_;
    out.running = counts.running;
    out.ended = counts.ended;
    out.failed = counts.failed;
    out.turns_per_second = static_cast<double>(counts.ended - told_.ended);
    out.first_text_p99_ns =
        result_.timeline.empty() ? 0 : result_.timeline.back().first_text_p99_ns;
    out.step = step_;
    told_ = counts;
    where_.watch.tell(out);
  }

  const run_place& where_;
  const std::string& step_;
  const time_point begin_, measured_;
  time_point window_end_;
  time_point next_tick_{begin_ + seconds{1}};
  time_point cpu_at_;
  bool opened_ = false, closed_ = false, stopped_ = false;
  uint64_t running_ = 0;
  std::vector<nanoseconds> cpu_;
  std::map<pid_t, nanoseconds> client_;
  lane_counts told_;
  process_probe watched_, own_;
  run_result result_;
  std::optional<generator> generator_;
};

} // namespace

bench_outcome run(const bench_plan& asked, shards& lanes, target_factory& targets,
                  const run_watch& watch) {
  auto plan = asked;
  plan.lanes = static_cast<uint32_t>(lanes.size());
  const run_place where{lanes, targets, watch};
  bench_outcome out;
  out.ceiling = ceiling(plan);
  if (plan.sweep.on) {
    auto found = find_knee(
        plan,
        [&](const bench_plan& each, const std::string& step) {
          return judged(each, where, out.ceiling, step);
        },
        watch.stopped);
    out.runs = std::move(found.runs);
    out.knee = found.knee;
    out.ended_early = found.ended_early;
  }
  for (uint32_t i = 0; !plan.sweep.on && i < std::max(plan.repeats, 1U) && !watch.stopped(); ++i) {
    auto each = plan;
    each.seed += i; // the same load with other random draws
    const auto step = plan.repeats > 1 ? fmt::format("repeat {}", i + 1) : std::string{};
    out.runs.push_back(judged(each, where, out.ceiling, step));
  }
  if (!out.runs.empty())
    for (const auto& each : plan.objectives)
      out.objectives.push_back(plan.sweep.on ? judge(each, representative_run(out))
                                             : judge(each, out.runs));
  return out;
}

double ceiling(const bench_plan& plan) {
  bench_plan probe;
  probe.lanes = std::max(plan.lanes, 1U);
  probe.arrivals.kind = arrival_kind::concurrency;
  probe.arrivals.concurrency = probe.lanes * at_once_per_lane;
  probe.bounds.warm_up = milliseconds{200};
  probe.bounds.length = milliseconds{600};
  shards loops{probe.lanes};
  null_targets targets;
  const run_watch nobody;
  return run_once(probe, {loops, targets, nobody}, {}).turns_per_second();
}

run_result run_once(const bench_plan& plan, const run_place& where, const std::string& step) {
  return single_run{plan, where, step}.finish();
}

} // namespace troupe::bench

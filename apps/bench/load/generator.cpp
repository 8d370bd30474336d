#include "apps/bench/load/generator.hpp"

#include <algorithm>
#include <ctime>

#include <unistd.h>

namespace troupe::bench {

namespace {

std::chrono::nanoseconds cpu_time_of_this_thread() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

void add_second(std::vector<lane_second>& to, lane_second&& from) {
  const auto same = [&](const lane_second& each) { return each.number == from.number; };
  const auto found = std::find_if(to.begin(), to.end(), same);
  if (found == to.end()) {
    to.push_back(std::move(from));
    return;
  }
  found->row.started += from.row.started;
  found->row.ended += from.row.ended;
  found->row.failed += from.row.failed;
  found->row.tokens += from.row.tokens;
  found->row.running += from.row.running;
  found->first_text.add(from.first_text);
}

constexpr auto interval = std::chrono::milliseconds{10};

} // namespace

generator::generator(const bench_plan& plan, shards& loops, target_factory& targets,
                     time_point begin, const std::string& run_id)
    : loops_{loops}, places_(loops.size()) {
  for (size_t i = 0; i < places_.size(); ++i)
    loops_.at(i).call([&] {
      auto& home = loops_.at(i);
      places_[i].to = targets.make(home);
      places_[i].generates = std::make_unique<lane>(
          home, plan, lane_place{static_cast<uint32_t>(i), run_id, begin}, *places_[i].to,
          lane_watch{[this] { count(lanes_begun_); }, [this] { count(lanes_over_); }});
      places_[i].lag = std::make_unique<lag_probe>(home, begin + plan.bounds.warm_up);
    });
}

generator::~generator() {
  for (size_t i = 0; i < places_.size(); ++i)
    loops_.at(i).call([&] {
      places_[i].lag.reset();
      places_[i].generates.reset();
      places_[i].to.reset();
    });
}

/// Calls `each` with every lane, on its loop, one after the other.
template <class Visit>
void generator::visit(const Visit& each) {
  for (size_t i = 0; i < places_.size(); ++i)
    loops_.at(i).call([&] { each(*places_[i].generates); });
}

void generator::count(size_t& lanes) {
  std::lock_guard guard{mutex_};
  ++lanes;
  changed_.notify_one();
}

bool generator::wait_until(time_point at) {
  std::unique_lock guard{mutex_};
  const auto is_over = [&] { return lanes_over_ == places_.size(); };
  const auto is_begun = [&] { return !begun_told_ && lanes_begun_ == places_.size(); };
  changed_.wait_until(guard, at, [&] { return is_over() || is_begun(); });
  begun_told_ = begun_told_ || is_begun();
  return is_over();
}

bool generator::all_begun() {
  std::lock_guard guard{mutex_};
  return lanes_begun_ == places_.size();
}

void generator::close_window(time_point at) {
  visit([at](lane& each) { each.figures().close_window(at); });
  for (size_t i = 0; i < places_.size(); ++i)
    loops_.at(i).call([&] { places_[i].lag->close(); });
}

void generator::stop() {
  visit([](lane& each) { each.stop(); });
}

std::vector<std::chrono::nanoseconds> generator::cpu_times() {
  std::vector<std::chrono::nanoseconds> out;
  visit([&](lane&) { out.push_back(cpu_time_of_this_thread()); });
  return out;
}

std::vector<pid_t> generator::threads() {
  std::vector<pid_t> out;
  visit([&](lane&) { out.push_back(::gettid()); });
  return out;
}

lane_counts generator::counts() {
  lane_counts out;
  visit([&](lane& each) {
    const auto& now = each.figures().counts();
    out.running += now.running;
    out.ended += now.ended;
    out.failed += now.failed;
  });
  return out;
}

std::vector<lane_second> generator::take_seconds(size_t before) {
  std::vector<lane_second> out;
  visit([&](lane& each) {
    for (auto& second : each.figures().take_seconds(before))
      add_second(out, std::move(second));
  });
  return out;
}

void generator::add_totals(run_result& to) {
  visit([&](lane& each) { bench::add_totals(to, each.figures().totals()); });
  for (size_t i = 0; i < places_.size(); ++i)
    loops_.at(i).call([&] { to.times[size_t(metric::lag)].add(places_[i].lag->times()); });
}

lag_probe::lag_probe(loop& home, time_point from)
    : due_{from + interval}, timer_{home, [this] { fire(); }} {
  timer_.start(due_);
}

void lag_probe::fire() {
  if (!open_)
    return;
  for (const auto now = std::chrono::steady_clock::now(); due_ <= now; due_ += interval)
    times_.record(now - due_);
  timer_.start(due_);
}

} // namespace troupe::bench

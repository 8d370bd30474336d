#include "transport/loop/loop_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/execution_unit.hpp>
#include <caf/logger.hpp>
#include <caf/resumable.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include "transport/loop/loop.hpp"
#include "transport/loop/loop_scheduler_clock.hpp"

namespace troupe {

namespace {

/// Messages per turn of an actor when the configuration sets no bound.
constexpr size_t default_throughput = 100;

/// Turns of actors per run of the stage, so that a flood leaves room for I/O.
constexpr size_t turns_per_run = 32;

/// Turns per shard, at the end of the system, for actors that never rest.
constexpr size_t turns_at_end = 10'000;

class loop_scheduler;

/// The actors that are ready on one shard.
class shard_worker final : public caf::execution_unit, public loop_stage {
public:
  shard_worker(loop_scheduler& parent, caf::actor_system& system, loop& home, size_t throughput)
      : caf::execution_unit{&system}, parent_{parent}, home_{home}, throughput_{throughput} {}

  void exec_later(caf::resumable* job) override;
  void push(caf::resumable* job, bool roams);
  bool run() override;
  bool drain(size_t turns);
  void close();
  loop& home() noexcept { return home_; }

private:
  void collect();
  void line_up_again(caf::resumable* job);
  bool resume(caf::resumable* job);

  loop_scheduler& parent_;
  loop& home_;
  size_t throughput_;
  std::deque<caf::resumable*> ready_; // loop thread only
  std::atomic<bool> mail_{false};
  std::mutex mutex_;
  std::vector<caf::resumable*> arrived_; // from other threads
  bool closed_ = false;
};

class loop_scheduler final : public caf::scheduler::abstract_coordinator {
public:
  loop_scheduler(caf::actor_system& system, shards& on, roaming_names roaming)
      : abstract_coordinator{system}, on_{on}, clock_{on}, roaming_{std::move(roaming)} {}
  ~loop_scheduler() override;

  void init(caf::actor_system_config& config) override;
  void start() override;
  void stop() override;
  void enqueue(caf::resumable* job) override;
  caf::actor_clock& clock() noexcept override { return clock_; }

  /// Returns whether the actor is a roaming one, which runs on the shard that asks it.
  bool roams(caf::resumable* job) const;

  /// Returns the worker that ran the actor last, or nullptr if there is none.
  shard_worker* home_of(caf::resumable* job) const;

private:
  shards& on_;
  loop_clock clock_;
  roaming_names roaming_;
  std::vector<std::unique_ptr<shard_worker>> workers_;
};

void shard_worker::exec_later(caf::resumable* job) {
  const bool roams = parent_.roams(job);
  auto* home = roams ? nullptr : parent_.home_of(job);
  (home != nullptr ? *home : *this).push(job, roams);
}

/// A roaming actor goes first: while it waits, requests of all shards gather in its mailbox, and
/// the actors that it spawns would begin on this shard.
void shard_worker::push(caf::resumable* job, bool roams) {
  if (home_.is_current() && !closed_) { // closed_ changes on this thread, or after its end
    ready_.insert(roams ? ready_.begin() : ready_.end(), job);
    home_.again();
    return;
  }
  bool wake = false;
  {
    std::lock_guard guard{mutex_};
    if (!closed_) {
      wake = arrived_.empty();
      arrived_.push_back(job);
      mail_.store(true, std::memory_order_relaxed);
      job = nullptr;
    }
  }
  if (wake)
    home_.post([] {});
  if (job != nullptr)
    caf::scheduler::abstract_coordinator::cleanup_and_release(job);
}

void shard_worker::collect() {
  if (!mail_.load(std::memory_order_relaxed))
    return;
  std::lock_guard guard{mutex_};
  mail_.store(false, std::memory_order_relaxed);
  for (auto* job : arrived_)
    ready_.insert(parent_.roams(job) ? ready_.begin() : ready_.end(), job);
  arrived_.clear();
}

/// A roaming actor with more than one turn of work goes after one other actor, so that the others
/// have turns between.
void shard_worker::line_up_again(caf::resumable* job) {
  auto place = ready_.end();
  if (parent_.roams(job))
    place = std::find_if(ready_.begin(), ready_.end(),
                         [this](auto* each) { return !parent_.roams(each); });
  ready_.insert(place == ready_.end() ? place : place + 1, job);
}

/// Returns whether the actor has come to rest.
bool shard_worker::resume(caf::resumable* job) {
  switch (job->resume(this, throughput_)) {
  case caf::resumable::resume_later: // keeps its reference
    line_up_again(job);
    return false;
  case caf::resumable::done:
  case caf::resumable::awaiting_message:
  case caf::resumable::shutdown_execution_unit:
    caf::intrusive_ptr_release(job);
    break;
  }
  return true;
}

/// Actors that a message makes ready run at once, because a round through the loop costs as much as
/// a message. But after an actor with more than one turn of work the loop first checks its clock.
bool shard_worker::run() {
  collect();
  if (ready_.empty())
    return false;
  bool rests = true;
  for (size_t turns = 0; rests && turns < turns_per_run && !ready_.empty(); ++turns) {
    auto* job = ready_.front();
    ready_.pop_front();
    rests = resume(job);
  }
  // A spawn makes the thread share CAF's logger, and then each turn writes into its table of
  // threads, under a lock.
  caf::logger::set_current_actor_system(nullptr);
  return true;
}

bool shard_worker::drain(size_t turns) {
  bool progress = false;
  for (size_t i = 0; i < turns && run(); i += turns_per_run)
    progress = true;
  return progress;
}

void shard_worker::close() {
  {
    std::lock_guard guard{mutex_};
    closed_ = true;
    ready_.insert(ready_.end(), arrived_.begin(), arrived_.end());
    arrived_.clear();
  }
  while (!ready_.empty()) {
    auto* job = ready_.front();
    ready_.pop_front();
    caf::scheduler::abstract_coordinator::cleanup_and_release(job);
  }
}

loop_scheduler::~loop_scheduler() {
  // Tasks that other threads posted for the clock may still hold actors: they must run before the
  // system is destroyed.
  for (size_t i = 0; i < on_.size(); ++i)
    on_.at(i).call([] {});
}

void loop_scheduler::init(caf::actor_system_config& config) {
  abstract_coordinator::init(config);
  if (max_throughput_ == 0 || max_throughput_ == std::numeric_limits<size_t>::max())
    max_throughput_ = default_throughput;
  num_workers_ = on_.size();
}

void loop_scheduler::start() {
  workers_.reserve(on_.size());
  for (size_t i = 0; i < on_.size(); ++i)
    workers_.push_back(std::make_unique<shard_worker>(*this, system(), on_.at(i), max_throughput_));
  for (auto& worker : workers_) {
    worker->home().call([this, &worker] {
      system().thread_started();
      worker->home().add(loop::stage::actors, *worker);
    });
  }
  abstract_coordinator::start();
}

void loop_scheduler::stop() {
  stop_actors();
  // Actors of one shard may still wake actors of another: repeat until all are quiet.
  bool progress = true;
  for (int round = 0; progress && round < 8; ++round) {
    progress = false;
    for (auto& worker : workers_)
      worker->home().call([&] { progress = worker->drain(turns_at_end) || progress; });
  }
  for (auto& worker : workers_) {
    worker->home().call([this, &worker] {
      worker->close();
      clock_.close(worker->home().index());
      worker->home().remove(loop::stage::actors, *worker);
      system().thread_terminates();
      // A spawn on this thread made it share CAF's logger, and ~actor_system waits for the last
      // such thread.
      caf::logger::set_current_actor_system(nullptr);
    });
  }
}

bool loop_scheduler::roams(caf::resumable* job) const {
  if (workers_.size() == 1 || job->subtype() != caf::resumable::scheduled_actor)
    return false;
  const auto* name = static_cast<caf::scheduled_actor*>(job)->name();
  return std::find(roaming_.begin(), roaming_.end(), name) != roaming_.end();
}

shard_worker* loop_scheduler::home_of(caf::resumable* job) const {
  if (job->subtype() != caf::resumable::scheduled_actor)
    return nullptr;
  // No race: the thread that enqueues a job owns it until it is resumed. The context is only
  // compared, because it may be a destroyed unit.
  const auto* last = static_cast<caf::scheduled_actor*>(job)->context();
  for (const auto& worker : workers_)
    if (worker.get() == last)
      return worker.get();
  return nullptr;
}

void loop_scheduler::enqueue(caf::resumable* job) {
  const bool runs_anywhere = roams(job);
  if (loop::current() == nullptr && !runs_anywhere)
    if (auto* home = home_of(job))
      return home->push(job, false);
  workers_[on_.near().index()]->push(job, runs_anywhere);
}

} // namespace

void load_loop_scheduler(caf::actor_system_config& config, shards& on, roaming_names roaming) {
  config.module_factories.push_back(
      [&on, roaming = std::move(roaming)](caf::actor_system& system) -> caf::actor_system::module* {
        return std::make_unique<loop_scheduler>(system, on, roaming).release();
      });
}

} // namespace troupe

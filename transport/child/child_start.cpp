#include "transport/child/child_start.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>

#include "transport/child/child_reaper.hpp"
#include "transport/child/child_watcher.hpp"
#include "transport/signals_blocked.hpp"

namespace troupe {

using namespace std::chrono_literals;

namespace {

/// The thread that starts children. They get a SIGKILL when it ends, which is when the process
/// ends. Never destroyed: a static engine may end after other statics.
class starting_thread {
public:
  starting_thread();
  starting_thread(const starting_thread&) = delete;
  starting_thread& operator=(const starting_thread&) = delete;

  void add(std::shared_ptr<child_start> what);

private:
  [[noreturn]] void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<child_start>> ordered_;
  std::vector<descriptor> unreaped_; // this thread's: killed processes that do not end
};

starting_thread::starting_thread() {
  const signals_blocked guard;
  std::thread{[this] { work(); }}.detach();
}

void starting_thread::add(std::shared_ptr<child_start> what) {
  const std::lock_guard guard{mutex_};
  ordered_.push_back(std::move(what));
  changed_.notify_one();
}

void starting_thread::work() {
  pthread_setname_np(pthread_self(), "troupe-starts");
  start_child_watcher();
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return !ordered_.empty(); });
    const auto next = std::move(ordered_.front());
    ordered_.pop_front();
    lock.unlock();
    if (auto left = next->run(); left.exited)
      unreaped_.push_back(std::move(left.exited));
    std::erase_if(unreaped_, [](const auto& each) { return reap_within(0ms, each); });
    lock.lock();
  }
}

} // namespace

failure child_start::order(child_command command, child_pipes its,
                           std::shared_ptr<child_start>& made) try {
  static auto& starts = *std::make_unique<starting_thread>().release();
  auto ordered = std::make_shared<child_start>(command, std::move(its));
  starts.add(ordered);
  made = std::move(ordered);
  return {};
} catch (const std::system_error& what) {
  return cannot_start(command.argv.front(), what.code().value());
}

child_start::child_start(child_command command, child_pipes its)
    : command_{std::move(command)}, its_{std::move(its)} {
  environment_ = child_environment(command_.env);
}

spawned_child child_start::take() {
  const std::lock_guard guard{mutex_};
  taken_ = true;
  if (!begun_)
    its_ = {};
  kill_group(under_way_, SIGKILL); // a start that hangs blocks all later starts
  return std::move(made_);
}

spawned_child child_start::run() {
  if (!begin())
    return {};
  auto left = keep(spawn_child(std::move(command_), std::move(environment_), its_, under_way_));
  its_ = {}; // last: a caller that sees the ends closed finds the process in made_
  return left;
}

bool child_start::begin() {
  const std::lock_guard guard{mutex_};
  begun_ = !taken_;
  return begun_;
}

spawned_child child_start::keep(spawned_child made) {
  {
    const std::lock_guard guard{mutex_};
    under_way_ = 0;
    if (!taken_)
      std::swap(made_, made);
  }
  kill_group(made.pid, SIGKILL);
  return !made.exited || reap_within(1s, made.exited) ? spawned_child{} : std::move(made);
}

} // namespace troupe

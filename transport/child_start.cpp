#include "transport/child_start.hpp"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <thread>
#include <utility>

#include "transport/child_reaper.hpp"
#include "transport/signals_blocked.hpp"

namespace troupe {

namespace {

/// The thread that starts children; they get a SIGTERM when it ends, with the process.
class starting_thread {
public:
  starting_thread();
  ~starting_thread();
  starting_thread(const starting_thread&) = delete;
  starting_thread& operator=(const starting_thread&) = delete;

  void add(std::shared_ptr<child_start> what);

private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<child_start>> ordered_;
  bool ending_ = false;
  std::thread thread_; // last: it uses the others
};

starting_thread::starting_thread() {
  const signals_blocked guard;
  thread_ = std::thread{[this] { work(); }};
}

starting_thread::~starting_thread() {
  {
    const std::lock_guard guard{mutex_};
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void starting_thread::add(std::shared_ptr<child_start> what) {
  const std::lock_guard guard{mutex_};
  ordered_.push_back(std::move(what));
  changed_.notify_one();
}

void starting_thread::work() {
  pthread_setname_np(pthread_self(), "troupe-starts");
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !ordered_.empty(); });
    if (ending_)
      return;
    const auto next = std::move(ordered_.front());
    ordered_.pop_front();
    lock.unlock();
    next->run();
    lock.lock();
  }
}

} // namespace

std::shared_ptr<child_start> child_start::order(child_command command, child_pipes its) {
  static starting_thread starts;
  auto made = std::make_shared<child_start>(std::move(command), std::move(its));
  starts.add(made);
  return made;
}

child_start::child_start(child_command command, child_pipes its)
    : command_{std::move(command)}, its_{std::move(its)}, environment_{
                                                              child_environment(command_.env)} {}

spawned_child child_start::take() {
  const std::lock_guard guard{mutex_};
  taken_ = true;
  return std::move(made_);
}

void child_start::run() {
  const auto wanted = [this] {
    const std::lock_guard guard{mutex_};
    return !taken_;
  };
  if (wanted())
    keep(spawn_child(std::move(command_), std::move(environment_), its_));
  its_ = {}; // only now: who sees that their other ends say so finds the process here
}

void child_start::keep(spawned_child made) {
  {
    const std::lock_guard guard{mutex_};
    if (!taken_)
      return std::swap(made_, made);
  }
  kill_and_reap(made);
}

} // namespace troupe

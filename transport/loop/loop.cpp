#include "transport/loop/loop.hpp"

#include <array>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <ev.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "transport/descriptor.hpp"
#include "transport/signals_blocked.hpp"

namespace troupe {

namespace {

thread_local loop* current_loop = nullptr;

/// How long the stages may keep a loop from its sockets.
constexpr auto stage_budget = std::chrono::milliseconds{2};

/// Throws std::system_error when no descriptor is free: libev itself ends the process when it gets
/// no descriptor for its wake-up.
struct ev_loop* make_native() {
  const descriptor room{::eventfd(0, EFD_CLOEXEC)};
  auto* made = room ? ev_loop_new(unsigned{EVBACKEND_EPOLL} | unsigned{EVFLAG_NOSIGMASK}) : nullptr;
  if (made == nullptr)
    throw std::system_error{errno, std::generic_category(), "an event loop cannot be made"};
  return made;
}

} // namespace

struct loop::impl {
  impl(loop& self, size_t position);
  ~impl();

  bool push(task&& work);
  bool run_posted();
  bool run_stage(std::vector<loop_stage*>& runners);
  bool run_stages();
  void before_sleep() noexcept;
  void main(loop& self) noexcept;
  void join();

  size_t position;
  struct ev_loop* native;
  ev_async wake{};
  ev_prepare prepare{};
  ev_idle awake{};

  std::array<std::vector<loop_stage*>, 3> stages;
  bool more = false;  // again() was called
  bool holes = false; // a stage was removed while the stages ran

  std::mutex inbox_mutex;
  std::vector<task> inbox; // the loop has been signalled if it is not empty
  bool closed = false;
  std::atomic<bool> mail{false}; // inbox has tasks; read without the lock
  std::vector<task> running;

  std::recursive_mutex afterlife; // calls after the thread has ended
  std::mutex join_mutex;
  std::thread thread;
};

loop::impl::impl(loop& self, size_t where) : position{where}, native{make_native()} {
  ev_set_userdata(native, this);
  ev_async_init(&wake, [](struct ev_loop*, ev_async*, int) {});
  ev_async_start(native, &wake);
  ev_idle_init(&awake, [](struct ev_loop*, ev_idle*, int) {});
  ev_prepare_init(&prepare, [](struct ev_loop* on, ev_prepare*, int) {
    static_cast<impl*>(ev_userdata(on))->before_sleep();
  });
  ev_set_priority(&prepare, EV_MINPRI); // runs after all other callbacks of the iteration
  ev_prepare_start(native, &prepare);
  signals_blocked guard;
  thread = std::thread{[this, &self] { main(self); }};
}

loop::impl::~impl() {
  join();
  inbox.clear();
  ev_loop_destroy(native);
}

void loop::impl::main(loop& self) noexcept {
  current_loop = &self;
  pthread_setname_np(pthread_self(), ("troupe-loop-" + std::to_string(position % 1000)).c_str());
  ev_run(native, 0);
  current_loop = nullptr;
}

bool loop::impl::push(task&& work) {
  bool first = false;
  {
    std::lock_guard guard{inbox_mutex};
    if (closed)
      return false;
    first = inbox.empty();
    inbox.push_back(std::move(work));
    mail.store(true, std::memory_order_relaxed);
  }
  // The loop's own thread looks into the inbox before it sleeps.
  if (first && (current_loop == nullptr || current_loop->impl_.get() != this))
    ev_async_send(native, &wake);
  return true;
}

bool loop::impl::run_posted() {
  if (!mail.load(std::memory_order_relaxed))
    return false;
  {
    std::lock_guard guard{inbox_mutex};
    running.swap(inbox);
    mail.store(false, std::memory_order_relaxed);
  }
  for (auto& work : running) {
    work();
    work = nullptr; // destroys its captures before the next task runs
  }
  running.clear();
  return true;
}

bool loop::impl::run_stage(std::vector<loop_stage*>& runners) {
  bool progress = false;
  for (size_t i = 0; i < runners.size(); ++i) // runners may be added and removed meanwhile
    if (runners[i] != nullptr && runners[i]->run())
      progress = true;
  return progress;
}

/// Returns whether work is left.
bool loop::impl::run_stages() {
  const auto end = std::chrono::steady_clock::now() + stage_budget;
  bool left = false;
  run_posted();
  more = false;
  for (size_t stage = 0; stage < stages.size();) {
    const bool progress = run_stage(stages[stage]);
    if (!progress && !more && !mail.load(std::memory_order_relaxed)) {
      ++stage;
    } else if (!left && std::chrono::steady_clock::now() < end) {
      run_posted();
      more = false;
      stage = 0;
    } else {
      left = true;
      ++stage;
    }
  }
  if (std::exchange(holes, false))
    for (auto& runners : stages)
      std::erase(runners, nullptr);
  return left;
}

void loop::impl::before_sleep() noexcept {
  if (run_stages())
    ev_idle_start(native, &awake);
  else
    ev_idle_stop(native, &awake);
  std::lock_guard guard{inbox_mutex};
  if (closed && inbox.empty())
    ev_break(native, EVBREAK_ALL);
}

void loop::impl::join() {
  {
    std::lock_guard guard{inbox_mutex};
    closed = true;
  }
  std::lock_guard guard{join_mutex};
  if (!thread.joinable())
    return;
  ev_async_send(native, &wake);
  thread.join();
}

loop::loop(size_t index) : impl_{std::make_unique<impl>(*this, index)} {}

loop::~loop() {
  stop();
}

void loop::post(task work) {
  impl_->push(std::move(work));
}

void loop::run(task work) {
  if (is_current())
    work();
  else
    post(std::move(work));
}

void loop::call(const task& work) {
  if (is_current())
    return work();
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  const bool accepted = impl_->push([&] {
    work();
    std::lock_guard guard{mutex};
    done = true;
    changed.notify_one();
  });
  if (accepted) {
    std::unique_lock guard{mutex};
    changed.wait(guard, [&] { return done; });
    return;
  }
  impl_->join();
  std::lock_guard guard{impl_->afterlife};
  work();
}

bool loop::is_current() const noexcept {
  return current_loop == this;
}

loop* loop::current() noexcept {
  return current_loop;
}

size_t loop::index() const noexcept {
  return impl_->position;
}

struct ev_loop* loop::native() noexcept {
  return impl_->native;
}

void loop::add(stage where, loop_stage& what) {
  impl_->stages[static_cast<size_t>(where)].push_back(&what);
}

void loop::remove(stage where, loop_stage& what) {
  for (auto& runner : impl_->stages[static_cast<size_t>(where)])
    if (runner == &what)
      runner = nullptr;
  impl_->holes = true;
}

void loop::again() noexcept {
  impl_->more = true;
}

void loop::stop() {
  impl_->join();
}

} // namespace troupe

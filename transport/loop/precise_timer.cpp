#include "transport/loop/precise_timer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <ev.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "transport/descriptor.hpp"

namespace troupe {

struct precise_timer::impl : std::enable_shared_from_this<impl> {
  impl(loop& where, std::function<void()> what)
      : home{where}, fire{std::move(what)}, clock{::timerfd_create(CLOCK_MONOTONIC,
                                                                   TFD_NONBLOCK | TFD_CLOEXEC)} {
    if (clock.get() < 0)
      throw std::system_error{errno, std::generic_category(), "timerfd_create"};
    ev_io_init(
        &watcher,
        [](struct ev_loop*, ev_io* which, int) { static_cast<impl*>(which->data)->expired(); },
        clock.get(), EV_READ);
    watcher.data = this;
    ev_io_start(home.native(), &watcher);
  }

  ~impl() { ev_io_stop(home.native(), &watcher); }

  void expired() noexcept {
    const auto self = shared_from_this(); // fire may destroy the timer
    uint64_t times = 0;
    if (::read(clock.get(), &times, sizeof times) == sizeof times)
      fire();
  }

  loop& home;
  std::function<void()> fire;
  descriptor clock;
  ev_io watcher{};
};

precise_timer::precise_timer(loop& home, std::function<void()> fire)
    : impl_{std::make_shared<impl>(home, std::move(fire))} {}

precise_timer::~precise_timer() = default;

void precise_timer::start(time_point at) {
  // Zero would stop the timer. Any requested time is later than 1 ns after the clock's start.
  const auto ns = std::max<int64_t>(1, std::chrono::nanoseconds{at.time_since_epoch()}.count());
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  when.it_value.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  ::timerfd_settime(impl_->clock.get(), TFD_TIMER_ABSTIME, &when, nullptr);
}

} // namespace troupe

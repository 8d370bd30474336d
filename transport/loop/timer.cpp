#include "transport/loop/timer.hpp"

#include <algorithm>
#include <utility>

#include <ev.h>

#include "transport/loop/loop.hpp"

namespace troupe {

struct timer::impl {
  impl(loop& where, std::function<void()> what) : home{where}, fire{std::move(what)} {
    ev_init(&watcher, [](struct ev_loop*, ev_timer* which, int) {
      static_cast<impl*>(which->data)->expired();
    });
    watcher.data = this;
  }

  void expired() noexcept {
    firing = true;
    fire();
    firing = false;
    if (orphaned)
      std::unique_ptr<impl>{this}.reset();
  }

  loop& home;
  std::function<void()> fire;
  ev_timer watcher{};
  bool firing = false;
  bool orphaned = false; // its owner destroyed it from within fire()
};

timer::timer(loop& home, std::function<void()> fire)
    : impl_{std::make_unique<impl>(home, std::move(fire))} {}

timer::~timer() {
  stop();
  if (impl_->firing)
    impl_.release()->orphaned = true;
}

void timer::start(std::chrono::milliseconds delay) {
  auto* native = impl_->home.native();
  ev_timer_stop(native, &impl_->watcher);
  ev_now_update(native); // the loop's time is from the start of its iteration
  const auto seconds = std::chrono::duration<double>{std::max(delay, delay.zero())};
  ev_timer_set(&impl_->watcher, seconds.count(), 0.);
  ev_timer_start(native, &impl_->watcher);
}

void timer::stop() {
  ev_timer_stop(impl_->home.native(), &impl_->watcher);
}

} // namespace troupe

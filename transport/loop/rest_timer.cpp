#include "transport/loop/rest_timer.hpp"

#include <system_error>
#include <utility>

#include <ev.h>

namespace troupe {

rest_timer::rest_timer(loop& home, std::function<void()> fire)
    : home_{home}, fire_{std::move(fire)}, coarse_{home, fire_} {}

void rest_timer::start(std::chrono::milliseconds rest) {
  if (rest <= rest.zero()) // no rest: the next iteration comes at once
    return coarse_.start(rest);
  try {
    if (!precise_)
      precise_.emplace(home_, [this] { end(); });
  } catch (const std::system_error&) {
    return coarse_.start(rest);
  }
  begun_ = clock::now();
  rest_ = rest;
  iteration_ = ev_iteration(home_.native());
  precise_->start(begun_ + rest_);
}

void rest_timer::end() {
  const auto own_iterations = 2 + static_cast<unsigned>(rest_.count());
  const bool others = ev_iteration(home_.native()) - iteration_ > own_iterations;
  if (others && rest_ < beside_others) {
    rest_ = beside_others;
    return precise_->start(begun_ + rest_);
  }
  const auto fire = fire_; // may destroy this
  fire();
}

void rest_timer::stop() {
  precise_.reset();
  coarse_.stop();
}

} // namespace troupe

#include "transport/rest_timer.hpp"

#include <system_error>
#include <utility>

#include <ev.h>

namespace troupe {

namespace {

/// Iterations of the loop in a rest: with more than these others are being served.
constexpr unsigned few_iterations = 8;

} // namespace

rest_timer::rest_timer(loop& home, std::function<void()> fire)
    : home_{home}, fire_{std::move(fire)}, coarse_{home, fire_} {}

void rest_timer::start(std::chrono::milliseconds rest) {
  if (rest <= rest.zero()) // the next iteration waits for nothing
    return coarse_.start(rest);
  try {
    if (!precise_)
      precise_.emplace(home_, [this] { end(); });
  } catch (const std::system_error&) {
    return coarse_.start(rest);
  }
  const auto now = clock::now();
  end_ = now + rest;
  end_beside_others_ = now + beside_others;
  iteration_ = ev_iteration(home_.native());
  precise_->start(end_);
}

void rest_timer::end() {
  if (end_ < end_beside_others_ && ev_iteration(home_.native()) - iteration_ > few_iterations) {
    end_ = end_beside_others_;
    return precise_->start(end_);
  }
  const auto fire = fire_; // may destroy this
  fire();
}

void rest_timer::stop() {
  precise_.reset();
  coarse_.stop();
}

} // namespace troupe

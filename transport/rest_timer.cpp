#include "transport/rest_timer.hpp"

#include <system_error>
#include <utility>

namespace troupe {

rest_timer::rest_timer(loop& home, std::function<void()> fire)
    : home_{home}, fire_{std::move(fire)}, coarse_{home, fire_} {}

void rest_timer::start(std::chrono::milliseconds rest) {
  if (rest <= rest.zero()) // the next iteration waits for nothing
    return coarse_.start(rest);
  try {
    if (!precise_)
      precise_.emplace(home_, fire_);
  } catch (const std::system_error&) {
    return coarse_.start(rest);
  }
  precise_->start(std::chrono::steady_clock::now() + rest);
}

void rest_timer::stop() {
  precise_.reset();
  coarse_.stop();
}

} // namespace troupe

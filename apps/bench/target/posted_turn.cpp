#include "apps/bench/target/posted_turn.hpp"

#include <utility>

#include "messages/utf8.hpp"

namespace troupe::bench {

posted_turn::posted_turn(loop& lane, target::watcher watch)
    : lane_{lane}, watch_{std::move(watch)} {}

void posted_turn::tell(std::vector<turn_observation> observations) {
  if (observations.empty())
    return;
  lane_.post([self = shared_from_this(), told = std::move(observations)] {
    for (const auto& each : told) {
      if (self->gone_ || self->over_)
        return;
      self->over_ = each.what == observed::end || each.what == observed::failed;
      self->watch_(each);
    }
  });
}

void posted_turn::let_go() {
  gone_ = true;
  watch_ = nullptr;
}

turn_observation observation_of(observed what) {
  turn_observation made;
  made.what = what;
  made.at = std::chrono::steady_clock::now();
  return made;
}

turn_observation observation_of(const failure& why) {
  auto made = observation_of(observed::failed);
  made.code = why.code;
  made.text = utf8_prefix(why.text(), max_observed_text_bytes);
  return made;
}

} // namespace troupe::bench

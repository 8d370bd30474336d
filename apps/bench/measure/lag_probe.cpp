#include "apps/bench/measure/lag_probe.hpp"

#include <chrono>

namespace troupe::bench {

namespace {

constexpr auto interval = std::chrono::milliseconds{10};

} // namespace

lag_probe::lag_probe(loop& home, time_point from)
    : due_{from + interval}, timer_{home, [this] { fire(); }} {
  timer_.start(due_);
}

void lag_probe::fire() {
  if (!open_)
    return;
  for (const auto now = std::chrono::steady_clock::now(); due_ <= now; due_ += interval)
    times_.record(now - due_);
  timer_.start(due_);
}

} // namespace troupe::bench

// The events of a turn as one answer in a protocol of others.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "apps/engine/http/sinks/compat_answer.hpp"
#include "messages/chat/events.hpp"

namespace troupe {

/// Collects the events and answers once. @tparam Collector take(event_batch), error(), body()
template <class Collector>
class single_response_sink final : public event_sink {
public:
  single_response_sink(compat_answer to, Collector collector)
      : to_(std::move(to)), collector_(std::move(collector)) {}

  void watch(std::function<void(response_signal)> watcher) override {
    to_.response->watch(std::move(watcher));
  }

  bool deliver(const event_batch& batch) override {
    collector_.take(batch);
    if (!is_terminal(batch.events.back()))
      return true;
    if (collector_.error())
      refuse(collector_.error());
    else
      to_.response->send(200, to_.head("application/json"), collector_.body());
    return true;
  }

  void refuse(const failure& why) override { to_.refuse(*to_.response, why, to_.extra); }

private:
  compat_answer to_;
  Collector collector_;
};

/// Makes a sink.
template <class Collector>
std::unique_ptr<event_sink> make_single_response(compat_answer answer, Collector collector) {
  return std::make_unique<single_response_sink<Collector>>(std::move(answer), std::move(collector));
}

} // namespace troupe

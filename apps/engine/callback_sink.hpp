// Events to a function.
#pragma once

#include <functional>
#include <utility>

#include "messages/ports.hpp"

namespace troupe {

/// Returns the one batch of a turn that was not accepted: SESSION_ERROR.
inline event_batch refusal_batch(const failure& why) {
  event_batch batch;
  batch.first_seq = 1;
  batch.events.emplace_back(session_error{why.code, why.text(), retryable(why.code)});
  return batch;
}

/// Calls a function with each batch; always wants more.
class callback_sink final : public event_sink {
public:
  explicit callback_sink(std::function<void(const event_batch&)> deliver)
      : deliver_(std::move(deliver)) {}

  void watch(std::function<void(response_signal)>) override {}

  bool deliver(const event_batch& batch) override {
    deliver_(batch);
    return true;
  }

  void refuse(const failure& why) override { deliver_(refusal_batch(why)); }

private:
  std::function<void(const event_batch&)> deliver_;
};

} // namespace troupe

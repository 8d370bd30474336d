#include "apps/engine/http/nodes/provisional_answer.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr uint8_t has_call = 1;
constexpr uint8_t has_answer = 2;

} // namespace

provisional_answer::provisional_answer(const std::shared_ptr<http_response>& client,
                                       std::function<bool(uint16_t)> holds, successor next)
    : forwarded_response(client), client_(client), holds_(std::move(holds)),
      next_(std::move(next)) {}

void provisional_answer::keep(http_call&& call) {
  call_ = std::make_unique<http_call>(std::move(call));
  if ((known_.fetch_or(has_call) & has_answer) != 0)
    settle();
}

void provisional_answer::send(uint16_t status, const headers& extra, std::string body) {
  if (!holds_(status)) {
    decide(false);
    return forwarded_response::send(status, extra, std::move(body));
  }
  held_ = {status, extra, std::move(body)};
  decide(true);
}

void provisional_answer::start(uint16_t status, const headers& extra) {
  decide(false);
  forwarded_response::start(status, extra);
}

void provisional_answer::decide(bool refused) {
  refused_ = refused;
  if ((known_.fetch_or(has_answer) & has_call) != 0)
    settle();
}

/// Both are here: the request goes to its successor, or is not needed any more.
void provisional_answer::settle() {
  const auto call = std::move(call_);
  if (!refused_ || !call)
    return;
  call->response = std::move(client_);
  next_(std::move(*call), std::move(held_));
}

} // namespace troupe

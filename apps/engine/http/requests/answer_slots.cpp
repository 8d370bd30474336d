#include "apps/engine/http/requests/answer_slots.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace troupe {

struct answer_slots::line {
  std::mutex mutex;
  size_t free = 0;
  bool serves = false; ///< somebody hands slots out
  std::deque<std::function<void(slot)>> waiting;
};

answer_slots::answer_slots(size_t most) : line_{std::make_shared<line>()} {
  line_->free = most;
}

answer_slots::slot answer_slots::take(std::function<void(slot)> later) {
  {
    const std::lock_guard guard{line_->mutex};
    if (line_->free == 0 || !line_->waiting.empty()) {
      line_->waiting.push_back(std::move(later));
      return nullptr;
    }
    --line_->free;
  }
  return make(line_);
}

answer_slots::slot answer_slots::make(const std::shared_ptr<line>& of) {
  return {of.get(), [of](void*) { give_back(of); }};
}

/// A request that waits may be gone, and gives its slot back within the call: a loop, no
/// recursion.
void answer_slots::give_back(const std::shared_ptr<line>& to) {
  std::unique_lock guard{to->mutex};
  ++to->free;
  if (std::exchange(to->serves, true))
    return;
  while (to->free > 0 && !to->waiting.empty()) {
    --to->free;
    auto next = std::move(to->waiting.front());
    to->waiting.pop_front();
    guard.unlock();
    next(make(to));
    guard.lock();
  }
  to->serves = false;
}

} // namespace troupe

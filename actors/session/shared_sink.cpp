#include "actors/session/shared_sink.hpp"

namespace troupe {

uint32_t shared_sink::deliver(const event_batch& batch) {
  const std::lock_guard guard{mutex_};
  paused_ = !sink_->deliver(batch);
  next_ = batch.first_seq + batch.events.size();
  delivered_ += static_cast<uint32_t>(batch.events.size());
  return earned();
}

uint32_t shared_sink::drained() {
  const std::lock_guard guard{mutex_};
  paused_ = false;
  return earned();
}

uint64_t shared_sink::next() const {
  const std::lock_guard guard{mutex_};
  return next_;
}

uint32_t shared_sink::earned() {
  return paused_ || delivered_ < initial_credit / 2 ? 0 : std::exchange(delivered_, 0);
}

} // namespace troupe

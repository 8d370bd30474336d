#include <algorithm>
#include <thread>

#include "transport/loop/loop.hpp"

namespace troupe {

shards::shards(size_t count) {
  if (count == 0)
    count = std::max<size_t>(1, std::thread::hardware_concurrency());
  loops_.reserve(count);
  for (size_t i = 0; i < count; ++i)
    loops_.push_back(std::make_unique<loop>(i));
}

shards::~shards() {
  stop();
}

size_t shards::size() const noexcept {
  return loops_.size();
}

loop& shards::at(size_t index) noexcept {
  return *loops_[index];
}

loop& shards::near() noexcept {
  auto* own = loop::current();
  if (own != nullptr && own->index() < loops_.size() && loops_[own->index()].get() == own)
    return *own;
  return *loops_[next_.fetch_add(1, std::memory_order_relaxed) % loops_.size()];
}

void shards::stop() {
  for (auto& each : loops_)
    each->stop();
}

} // namespace troupe

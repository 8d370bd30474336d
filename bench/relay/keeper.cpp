#include "bench/relay/keeper.hpp"

#include <algorithm>

void keeper::run(const char* path) {
  turn_store_open(path, kind_);
  long indexed = 1;
  for (std::vector<part> now;; now.clear()) {
    take(now);
    turn_store_begin();
    for (const auto& each : now) {
      turn_store_save(each.turn, each.save);
      over_ += each.save + 1 == saves_of_a_turn() ? 1 : 0;
    }
    turn_store_commit();
    {
      std::lock_guard guard{mutex_};
      kept_.insert(kept_.end(), now.begin(), now.end());
    }
    ev_async_send(home_, &wake_);
    if (over_ + 1 - indexed > 1000) { // the latest turns may still run
      turn_store_index(indexed, indexed + 512);
      indexed += 512;
    }
  }
}

void keeper::take(std::vector<part>& now) {
  {
    std::unique_lock guard{mutex_};
    more_.wait(guard, [this] { return !waiting_.empty(); });
  }
  const auto begun = clock::now();
  if (const auto time = begun - counted_; time >= std::chrono::milliseconds{4}) {
    crowded_ = taken_ >= time / std::chrono::microseconds{100};
    taken_ = 0;
    counted_ = begun;
  }
  if (crowded_ && last_size_ > 1)
    std::this_thread::sleep_for(std::chrono::microseconds{200});
  else if (const auto running = turns_ - over_; !crowded_ && running >= 1000)
    std::this_thread::sleep_for(std::chrono::microseconds{std::min(2 * running, 10000L)});
  std::lock_guard guard{mutex_};
  now.swap(waiting_);
  last_size_ = now.size();
  taken_ += static_cast<long>(now.size());
}

void keeper::report() {
  std::vector<part> kept;
  {
    std::lock_guard guard{mutex_};
    kept.swap(kept_);
  }
  for (const auto& each : kept)
    tell_(*each.of);
}

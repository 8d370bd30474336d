// The events of a turn that wait for credit.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "messages/events.hpp"

namespace troupe {

/// Numbers the events of one turn and lets out what the receiver has credit for. Not thread safe.
class outbox {
public:
  /// Starts a new turn: numbers from 1, nothing waiting.
  void open(std::string session_id, std::string turn_id, uint32_t credit) {
    *this = {};
    session_id_ = std::move(session_id);
    turn_id_ = std::move(turn_id);
    credit_ = credit;
  }

  void grant(uint32_t events) { credit_ += events; }

  /// Lets everything of this turn out; for a receiver that is gone.
  void release() { credit_ = std::numeric_limits<uint32_t>::max(); }

  void append(std::vector<event> more) {
    if (waiting_.empty())
      waiting_ = std::move(more);
    else
      std::move(more.begin(), more.end(), std::back_inserter(waiting_));
  }

  /// Returns the next batch; without events when nothing waits or there is no credit.
  event_batch take() {
    auto count = std::min<size_t>(credit_, waiting_.size());
    event_batch batch{session_id_, turn_id_, 0, next_seq_, now_us(), {}};
    if (count == waiting_.size()) {
      batch.events = std::exchange(waiting_, {});
    } else {
      auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
      batch.events.assign(std::move_iterator{waiting_.begin()}, std::move_iterator{end});
      waiting_.erase(waiting_.begin(), end);
    }
    next_seq_ += count;
    credit_ -= static_cast<uint32_t>(count);
    return batch;
  }

  /// Returns how many events wait for credit.
  size_t waiting() const noexcept { return waiting_.size(); }

private:
  static int64_t now_us() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  }

  std::string session_id_;
  std::string turn_id_;
  std::vector<event> waiting_;
  uint64_t next_seq_ = 1;
  uint32_t credit_ = 0;
};

} // namespace troupe

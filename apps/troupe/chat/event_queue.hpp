// Events on their way to the thread that shows them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// An event, and when it came: time limits run from then, even while a person answers another one.
struct queued_event {
  std::string json;
  std::chrono::steady_clock::time_point at;
};

/// The events of one turn, in order. They come from a loop's thread; one thread takes them, and may
/// ask a person in between.
class event_queue {
public:
  /// Any thread.
  void add(std::string json) {
    std::lock_guard guard{mutex_};
    events_.push_back({std::move(json), std::chrono::steady_clock::now()});
    changed_.notify_one();
  }

  /// There is no more. Any thread.
  void end(server_answer how) {
    std::lock_guard guard{mutex_};
    end_ = std::move(how);
    changed_.notify_one();
  }

  /// Waits for the next event; nothing after the last one.
  std::optional<queued_event> next() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !events_.empty() || end_; });
    if (events_.empty())
      return std::nullopt;
    auto out = std::move(events_.front());
    events_.pop_front();
    return out;
  }

  /// Returns how the answer ended, after the last event.
  const server_answer& how_it_ended() const { return *end_; }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<queued_event> events_;
  std::optional<server_answer> end_;
};

} // namespace troupe

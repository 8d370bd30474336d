// What bench-relay keeps of a turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <ev.h>

#include "bench/relay/clients.hpp"
#include "bench/turn_store.h"

/// Keeps turns, save by save, in a thread of its own; saves that wait together share a commit.
class keeper {
public:
  using done = void (*)(client&);

  /// @param path "" to keep nothing
  keeper(struct ev_loop* home, const char* path, turn_kind kind, done tell)
      : home_{home}, tell_{tell}, kind_{kind} {
    if (*path == '\0')
      return;
    ev_async_init(&wake_, [](struct ev_loop*, ev_async* from, int) {
      static_cast<keeper*>(from->data)->report();
    });
    wake_.data = this;
    ev_async_start(home_, &wake_);
    std::thread{[this, path] { run(path); }}.detach();
    keeps_ = true;
  }

  int saves_of_a_turn() const {
    return kind_ == plain_turn ? saves_of_plain_turn : saves_with_call;
  }

  /// Does the next save of its turn, and calls `tell` then.
  void keep(client& of) {
    const int save = of.saves++;
    if (!keeps_)
      return tell_(of);
    if (save == 0) {
      of.turn = ++turns_;
      running_.fetch_add(1, std::memory_order_relaxed);
    }
    std::lock_guard guard{mutex_};
    waiting_.push_back({&of, of.turn, save});
    if (waiting_.size() == 1)
      more_.notify_one();
  }

private:
  using clock = std::chrono::steady_clock;

  struct part {
    client* of;
    long turn;
    int save;
  };

  [[noreturn]] void run(const char* path) {
    turn_store_open(path, kind_);
    long over = 0, indexed = 1;
    for (std::vector<part> now;; now.clear()) {
      take(now);
      turn_store_begin();
      for (const auto& each : now) {
        turn_store_save(each.turn, each.save);
        over += each.save + 1 == saves_of_a_turn() ? 1 : 0;
      }
      turn_store_commit();
      {
        std::lock_guard guard{mutex_};
        kept_.insert(kept_.end(), now.begin(), now.end());
      }
      ev_async_send(home_, &wake_);
      if (over + 1 - indexed > 1000) { // the last ones may not be over
        turn_store_index(indexed, indexed + 512);
        indexed += 512;
      }
    }
  }

  /// Waits for what is to be saved, and then for more of it, as Troupe does (commit_delay): when
  /// ten come in a millisecond, else where a thousand turns run.
  void take(std::vector<part>& now) {
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
    else if (const auto run = running_.load(std::memory_order_relaxed); !crowded_ && run >= 1000)
      std::this_thread::sleep_for(std::chrono::microseconds{std::min(2 * run, 10000L)});
    std::lock_guard guard{mutex_};
    now.swap(waiting_);
    last_size_ = now.size();
    taken_ += static_cast<long>(now.size());
  }

  void report() {
    std::vector<part> kept;
    {
      std::lock_guard guard{mutex_};
      kept.swap(kept_);
    }
    for (const auto& each : kept) {
      if (each.save + 1 == saves_of_a_turn())
        running_.fetch_sub(1, std::memory_order_relaxed);
      tell_(*each.of);
    }
  }

  struct ev_loop* home_;
  done tell_;
  turn_kind kind_;
  clock::time_point counted_ = clock::now(); // of the thread, as the next three
  long taken_ = 0;
  size_t last_size_ = 0;
  bool crowded_ = false;
  bool keeps_ = false;
  long turns_ = 0;
  std::atomic<long> running_{0};
  ev_async wake_{};
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<part> waiting_, kept_;
};

// Stores the turns of bench-relay.
#pragma once

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

  /// Does the next save of the client's turn, then calls `tell`.
  void keep(client& of) {
    const int save = of.saves++;
    if (!keeps_)
      return tell_(of);
    if (save == 0)
      of.turn = ++turns_;
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

  [[noreturn]] void run(const char* path);

  /// Waits for saves, and then for more of them, as Troupe does (commit_delay): if ten come in a
  /// millisecond, or if a thousand turns run.
  void take(std::vector<part>& now);

  void report();

  struct ev_loop* home_;
  done tell_;
  turn_kind kind_;
  clock::time_point counted_ = clock::now(); // for the thread only, as the next four
  long over_ = 0;                            ///< turns
  long taken_ = 0;
  size_t last_size_ = 0;
  bool crowded_ = false;
  bool keeps_ = false;
  std::atomic<long> turns_{0};
  ev_async wake_{};
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<part> waiting_, kept_;
};

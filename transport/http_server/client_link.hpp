// The state that a connection and its user's handle share, and the bytes between them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "transport/loop/loop.hpp"

namespace troupe {

/// Counts the bytes that were written on any thread and have not been sent on the loop's thread.
/// Outlives connection and handle.
struct client_link {
  client_link(loop& on, size_t high, size_t low) : home{on}, high_water{high}, low_water{low} {}

  loop& home;
  const size_t high_water;
  const size_t low_water;

  // any thread
  std::atomic<size_t> waiting{0};  ///< bytes in the connection's outgoing buffer
  std::atomic<size_t> posted{0};   ///< bytes on their way to it from other threads
  std::atomic<bool> full{false};   ///< a write returned false: `drained` is due
  std::atomic<uint32_t> queued{0}; ///< calls on their way from other threads
  std::atomic<bool> over{false};   ///< further writes have no effect

  /// Counts `size` more bytes and returns whether writing may go on. Any thread.
  bool admit(size_t size);

  /// Returns whether `drained` is due, and true only once each time. Loop thread only.
  bool take_drained();

  /// Returns whether a call may go through at once: it is on the loop, and no earlier calls of
  /// other threads are under way.
  bool is_direct() const {
    return home.is_current() && queued.load(std::memory_order_acquire) == 0;
  }

  /// Returns whether calls have no effect any more. Then the loop may be gone as well.
  bool is_over() const { return over.load(std::memory_order_relaxed); }
};

/// Has `call(link)` run on the link's loop, after all earlier calls.
template <class Link, class Call>
void post_to(const std::shared_ptr<Link>& link, Call call) {
  link->queued.fetch_add(1, std::memory_order_relaxed);
  link->home.post([link, call = std::move(call)]() mutable {
    link->queued.fetch_sub(1, std::memory_order_release);
    call(*link);
  });
}

} // namespace troupe

// What a connection and the handle that its user holds have in common, and the bytes between them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "transport/loop/loop.hpp"

namespace troupe {

/// Counts what was written on any thread and has not left on the loop's. Outlives connection and
/// handle.
struct client_link {
  client_link(loop& on, size_t high, size_t low) : home{on}, high_water{high}, low_water{low} {}

  loop& home;
  const size_t high_water;
  const size_t low_water;

  // any thread
  std::atomic<size_t> waiting{0};  ///< bytes in the connection's outgoing buffer
  std::atomic<size_t> posted{0};   ///< bytes on their way to it from other threads
  std::atomic<bool> full{false};   ///< a write said no: `drained` is due
  std::atomic<uint32_t> queued{0}; ///< calls on their way from other threads
  std::atomic<bool> over{false};   ///< nothing written has any effect any more

  /// Counts `size` more bytes and returns whether writing may go on. Any thread.
  bool admit(size_t size);

  /// Returns, once each time, whether `drained` is due. Loop thread only.
  bool take_drained();

  /// A call from the loop goes through at once, unless earlier ones from elsewhere are under way.
  bool is_direct() const {
    return home.is_current() && queued.load(std::memory_order_acquire) == 0;
  }

  /// When nothing has any effect any more, the loop may be gone as well.
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

// Counts of a node's claims, for its metrics.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace troupe {

/// Counts since the start of the process. Any thread.
struct cluster_counts {
  std::atomic<uint64_t> claims{0};         ///< turns that claimed their chat
  std::atomic<uint64_t> stale{0};          ///< claims that were refused: the chat was loaded again
  std::atomic<uint64_t> held_elsewhere{0}; ///< claims that were refused: another node runs a turn
  std::atomic<uint64_t> takeovers{0};      ///< chats that were taken from a dead node, by a claim
  std::atomic<uint64_t> fenced{0};         ///< saves that were refused: another node has the chat
  std::atomic<uint64_t> swept{0};          ///< turns of dead nodes that this one interrupted
  std::atomic<uint64_t> given_back{0};     ///< chats that were claimed, and not run
  std::atomic<uint32_t> serving{0}, draining{0}, dead{0}; ///< nodes, as of the last look

  /// Returns how many nodes live, this one among them.
  uint32_t living() const noexcept { return std::max<uint32_t>(serving + draining, 1); }
};

} // namespace troupe

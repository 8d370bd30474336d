// How many requests went on to other nodes, and what became of them.
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe {

/// Counters of one node. Any thread.
struct forward_counts {
  std::atomic<uint64_t> passed{0};      ///< the other node has answered
  std::atomic<uint64_t> broken{0};      ///< of these: it was lost in mid-answer
  std::atomic<uint64_t> not_owner{0};   ///< it said that it does not run the turn
  std::atomic<uint64_t> unreachable{0}; ///< it did not answer
  std::atomic<uint64_t> refused{0};     ///< it did not let the request in
  std::atomic<uint64_t> open{0};        ///< at present: answers on their way
};

} // namespace troupe

// How many turns run, for those who adapt to it.
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe {

/// The session_hub counts them, others read it: a hint, on any thread.
using running_turn_count = std::atomic<uint64_t>;

} // namespace troupe

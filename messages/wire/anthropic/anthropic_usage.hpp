// The tokens of an answer as Anthropic counts them.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// Collects the counts of one answer. Each event counts the message so far, so the last value of a
/// member counts; a value that is missing, null or 0 replaces none. Not thread safe.
class anthropic_usage {
public:
  /// Takes a `usage` object. With `iterations`, whose last one is at its top, all of them count.
  /// @param json a slice (see json_slice.hpp); anything else is nothing
  void update(std::string_view json);

  /// Forgets what was counted.
  void clear() noexcept { *this = {}; }

  /// Returns the counts in the form of all providers: the input with what came from the cache and
  /// went into it.
  const usage& value() const noexcept { return value_; }

private:
  struct counts {
    uint64_t input = 0; ///< without the next two
    uint64_t cache_read = 0;
    uint64_t cache_write = 0;
    uint64_t output = 0;
    uint64_t thinking = 0; ///< of the output
  };

  static void read(std::string_view json, counts& into, std::string_view& iterations);

  counts message_;
  counts iterations_; ///< the sum, if there were any
  usage value_;
};

} // namespace troupe

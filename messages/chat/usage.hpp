// How a model's answer ended, and how many tokens it used.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"

namespace troupe {

/// Why a model's answer or a turn ended; `to_string` gives the AI SDK's spelling.
enum class finish_reason : uint8_t { stop, length, content_filter, tool_calls, error, other };

std::string to_string(finish_reason why);

/// Tokens as the provider counted them; 0 where it said nothing. Of all providers alike: the input
/// includes what came from a cache or went into it, the output includes reasoning.
struct usage {
  uint64_t input_tokens = 0;
  uint64_t output_tokens = 0;
  uint64_t total_tokens = 0;
  uint64_t reasoning_tokens = 0;
  uint64_t cached_input_tokens = 0; ///< of the input: read from the provider's cache
  uint64_t cache_write_tokens = 0;  ///< of the input: written to it

  /// Adds the tokens of another request.
  usage& operator+=(const usage& other);

  /// Takes what the provider counted later for the same request. A count of zero replaces none:
  /// some providers say nothing with zeros, or send one part of the counts at a time. Where counts
  /// of both are left, the total is at least their sum.
  void update(const usage& later);

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("inputTokens", &usage::input_tokens),
                           field("outputTokens", &usage::output_tokens),
                           field("totalTokens", &usage::total_tokens),
                           field("reasoningTokens", &usage::reasoning_tokens),
                           field("cachedInputTokens", &usage::cached_input_tokens),
                           field_when_given("cacheWriteTokens", &usage::cache_write_tokens));
  }
};

} // namespace troupe

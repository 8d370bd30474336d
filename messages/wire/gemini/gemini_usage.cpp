#include "messages/wire/gemini/gemini_usage.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

/// No answer has more tokens. A larger count is a fault of the server, and would spoil all sums.
constexpr int64_t max_count = 1'000'000'000'000;

uint64_t count_of(std::string_view slice) {
  const auto count = id_of(slice).value_or(0); // also a number in a string
  return count < 0 || count > max_count ? 0 : static_cast<uint64_t>(count);
}

} // namespace

std::optional<usage> read_gemini_usage(const gemini_counts& counts) {
  if (counts.prompt.empty() && counts.candidates.empty() && counts.total.empty())
    return std::nullopt;
  usage read;
  read.reasoning_tokens = count_of(counts.thoughts);
  read.input_tokens = count_of(counts.prompt) + count_of(counts.tool_prompt);
  read.output_tokens = count_of(counts.candidates) + read.reasoning_tokens;
  read.total_tokens = std::max(count_of(counts.total), read.input_tokens + read.output_tokens);
  read.cached_input_tokens = count_of(counts.cached);
  return read;
}

} // namespace troupe

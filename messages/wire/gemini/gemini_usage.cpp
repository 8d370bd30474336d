#include "messages/wire/gemini/gemini_usage.hpp"

#include <algorithm>

#include "messages/wire/provider/token_count.hpp"

namespace troupe {

std::optional<usage> read_gemini_usage(const gemini_counts& counts) {
  if (counts.prompt.empty() && counts.candidates.empty() && counts.total.empty())
    return std::nullopt;
  usage read;
  read.reasoning_tokens = token_count(counts.thoughts);
  read.input_tokens = token_count(counts.prompt) + token_count(counts.tool_prompt);
  read.output_tokens = token_count(counts.candidates) + read.reasoning_tokens;
  read.total_tokens = std::max(token_count(counts.total), read.input_tokens + read.output_tokens);
  read.cached_input_tokens = token_count(counts.cached);
  return read;
}

} // namespace troupe

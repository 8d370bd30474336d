#include "messages/chat/usage.hpp"

#include <algorithm>

namespace troupe {

std::string to_string(finish_reason why) {
  switch (why) {
  case finish_reason::stop:
    return "stop";
  case finish_reason::length:
    return "length";
  case finish_reason::content_filter:
    return "content-filter";
  case finish_reason::tool_calls:
    return "tool-calls";
  case finish_reason::error:
    return "error";
  case finish_reason::other:
    return "other";
  }
  return "other";
}

usage& usage::operator+=(const usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  total_tokens += other.total_tokens;
  reasoning_tokens += other.reasoning_tokens;
  cached_input_tokens += other.cached_input_tokens;
  cache_write_tokens += other.cache_write_tokens;
  return *this;
}

void usage::update(const usage& later) {
  auto mixed = (later.input_tokens == 0 && input_tokens > 0) ||
               (later.output_tokens == 0 && output_tokens > 0);
  auto take = [](uint64_t& known, uint64_t count) { known = count > 0 ? count : known; };
  take(input_tokens, later.input_tokens);
  take(output_tokens, later.output_tokens);
  take(reasoning_tokens, later.reasoning_tokens);
  take(cached_input_tokens, later.cached_input_tokens);
  take(cache_write_tokens, later.cache_write_tokens);
  if (later.total_tokens > 0)
    total_tokens =
        mixed ? std::max(later.total_tokens, input_tokens + output_tokens) : later.total_tokens;
}

} // namespace troupe

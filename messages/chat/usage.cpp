#include "messages/chat/usage.hpp"

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
  return *this;
}

} // namespace troupe

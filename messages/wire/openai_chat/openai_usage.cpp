#include "messages/wire/openai_chat/openai_usage.hpp"

#include <cstdint>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// No answer has more tokens. A larger count is a fault of the server, and would spoil all sums.
constexpr int64_t max_count = 1'000'000'000'000;

uint64_t count_of(std::string_view slice) {
  auto count = id_of(slice).value_or(0); // also a number in a string
  return count < 0 || count > max_count ? 0 : static_cast<uint64_t>(count);
}

} // namespace

std::optional<usage> read_openai_usage(std::string_view json) {
  if (json.empty())
    return std::nullopt;
  std::string_view input, output, total, hit, cached, written, thought;
  for_each_member(json, [&](std::string_view key, json_value value) {
    if (key == "prompt_tokens" || key == "input_tokens")
      input = value;
    else if (key == "completion_tokens" || key == "output_tokens")
      output = value;
    else if (key == "total_tokens")
      total = value;
    else if (key == "prompt_cache_hit_tokens" || key == "cached_tokens") // DeepSeek, Moonshot
      hit = value;
    else if (key == "prompt_tokens_details" || key == "input_tokens_details")
      read_members(value, {{"cached_tokens", &cached}, {"cache_write_tokens", &written}});
    else if (key == "completion_tokens_details" || key == "output_tokens_details")
      read_members(value, {{"reasoning_tokens", &thought}});
    return true;
  });
  if (input.empty() && output.empty() && total.empty())
    return std::nullopt;
  usage read;
  read.input_tokens = count_of(input);
  read.output_tokens = count_of(output);
  read.total_tokens = count_of(total);
  if (read.total_tokens == 0)
    read.total_tokens = read.input_tokens + read.output_tokens;
  read.cached_input_tokens = count_of(cached.empty() ? hit : cached);
  read.cache_write_tokens = count_of(written);
  read.reasoning_tokens = count_of(thought);
  return read;
}

} // namespace troupe

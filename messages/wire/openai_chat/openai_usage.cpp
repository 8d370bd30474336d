#include "messages/wire/openai_chat/openai_usage.hpp"

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/token_count.hpp"

namespace troupe {

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
  read.input_tokens = token_count(input);
  read.output_tokens = token_count(output);
  read.total_tokens = token_count(total);
  if (read.total_tokens == 0)
    read.total_tokens = read.input_tokens + read.output_tokens;
  read.cached_input_tokens = token_count(cached.empty() ? hit : cached);
  read.cache_write_tokens = token_count(written);
  read.reasoning_tokens = token_count(thought);
  return read;
}

} // namespace troupe

#include "messages/wire/anthropic/anthropic_usage.hpp"

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/token_count.hpp"

namespace troupe {

namespace {

void take_count(uint64_t& into, std::string_view slice) {
  if (const auto count = token_count(slice); count > 0)
    into = count;
}

} // namespace

void anthropic_usage::read(std::string_view json, counts& into, std::string_view& iterations) {
  std::string_view input, output, cache_read, cache_write, by_lifetime, details;
  std::string_view minutes, hour, thinking;
  read_members(json, {{"input_tokens", &input},
                      {"output_tokens", &output},
                      {"cache_read_input_tokens", &cache_read},
                      {"cache_creation_input_tokens", &cache_write},
                      {"cache_creation", &by_lifetime},
                      {"output_tokens_details", &details},
                      {"iterations", &iterations}});
  read_members(by_lifetime,
               {{"ephemeral_5m_input_tokens", &minutes}, {"ephemeral_1h_input_tokens", &hour}});
  read_members(details, {{"thinking_tokens", &thinking}});
  take_count(into.input, input);
  take_count(into.output, output);
  take_count(into.cache_read, cache_read);
  take_count(into.thinking, thinking);
  if (cache_write.empty()) {
    uint64_t five_minutes = 0, one_hour = 0;
    take_count(five_minutes, minutes);
    take_count(one_hour, hour);
    if (five_minutes + one_hour > 0)
      into.cache_write = five_minutes + one_hour;
  }
  take_count(into.cache_write, cache_write);
}

void anthropic_usage::update(std::string_view json) {
  std::string_view iterations;
  read(json, message_, iterations);
  counts sum;
  for_each_element(iterations, [&sum](std::string_view each) {
    counts one;
    std::string_view none;
    read(each, one, none);
    sum.input += one.input;
    sum.cache_read += one.cache_read;
    sum.cache_write += one.cache_write;
    sum.output += one.output;
    sum.thinking += one.thinking;
    return true;
  });
  if (sum.input + sum.output + sum.cache_read + sum.cache_write > 0)
    iterations_ = sum;
  const auto counted = iterations_.input + iterations_.output > 0 ? iterations_ : message_;
  value_.input_tokens = counted.input + counted.cache_read + counted.cache_write;
  value_.output_tokens = counted.output;
  value_.total_tokens = value_.input_tokens + value_.output_tokens;
  value_.cached_input_tokens = counted.cache_read;
  value_.cache_write_tokens = counted.cache_write;
  value_.reasoning_tokens = counted.thinking;
}

} // namespace troupe

#include "actors/mcp_hub/sampling_budget.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr std::chrono::minutes told_every{1};

std::string limit(uint64_t most, std::string_view what, std::string_view key) {
  return fmt::format("at most {} {} (samplingLimits.{})", most, what, key);
}

} // namespace

bool minute_allowance::any(uint64_t most, time_point now) {
  const auto usual = static_cast<double>(most);
  const std::chrono::duration<double, std::ratio<60>> passed = now - std::exchange(last_, now);
  taken_ = std::max(0.0, taken_ - passed.count() * usual);
  return most == 0 || taken_ + 1 <= usual;
}

std::string sampling_budget::begin(const sampling_limits& limits, uint64_t call, uint64_t tokens,
                                   time_point now) {
  auto why = reached(limits, call, now);
  if (!why.empty()) {
    ++refused_;
    return why;
  }
  requests_.take(1);
  if (call != 0)
    ++calls_[call].requests;
  add(call, static_cast<double>(tokens));
  return {};
}

std::string sampling_budget::reached(const sampling_limits& limits, uint64_t call, time_point now) {
  const auto requests_left = requests_.any(limits.requests_per_minute, now);
  const auto tokens_left = tokens_.any(limits.tokens_per_minute, now);
  const auto found = calls_.find(call);
  const auto used = found == calls_.end() ? use{} : found->second;
  if (limits.requests_per_call > 0 && used.requests >= limits.requests_per_call)
    return limit(limits.requests_per_call, "answers in one call", "requestsPerCall");
  if (limits.tokens_per_call > 0 && used.tokens >= static_cast<double>(limits.tokens_per_call))
    return limit(limits.tokens_per_call, "tokens in one call", "tokensPerCall");
  if (!requests_left)
    return limit(limits.requests_per_minute, "answers in a minute", "requestsPerMinute");
  if (!tokens_left)
    return limit(limits.tokens_per_minute, "tokens in a minute", "tokensPerMinute");
  return {};
}

void sampling_budget::end(uint64_t call, uint64_t begun, uint64_t tokens) {
  add(call, static_cast<double>(tokens) - static_cast<double>(begun));
}

void sampling_budget::add(uint64_t call, double tokens) {
  tokens_.take(tokens);
  if (const auto found = calls_.find(call); found != calls_.end())
    found->second.tokens += tokens;
}

uint64_t sampling_budget::take_refused(time_point now) {
  if (refused_ == 0 || (told_ != time_point{} && now - told_ < told_every))
    return 0;
  told_ = now;
  return std::exchange(refused_, 0);
}

} // namespace troupe

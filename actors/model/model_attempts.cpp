#include "actors/model/model_attempts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace troupe {

namespace {

using std::chrono::milliseconds;
using step = attempt_verdict::step;

/// Longer ones are refused anyway; a duration must not overflow.
constexpr double longest_seconds = 1e9;

bool may_pass(const failed_attempt& how) {
  const auto status = how.status;
  if (status >= 300)
    return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
  switch (how.code) {
  case errc::model_unreachable:
  case errc::connect_timeout:
  case errc::model_overloaded:
  case errc::model_rate_limited:
  case errc::model_failed:
  case errc::model_stream_cut:
    return true;
  default:
    return false;
  }
}

/// Decides by what failed alone, as if attempts and time had no bounds.
step best_step(const failed_attempt& how) {
  switch (how.code) {
  case errc::model_timeout:
    return step::give_up; // no time is left, for whomever
  case errc::model_first_token_timeout:
  case errc::model_idle_timeout:
  case errc::model_busy:
  case errc::model_quota_exhausted: // waiting does not help, another model may
    return step::fall_back;
  default:
    break;
  }
  if (how.should_retry > 0)
    return step::again;
  if (!may_pass(how))
    return step::give_up;
  return how.should_retry == 0 ? step::fall_back : step::again; // it speaks for itself only
}

std::optional<double> read_seconds(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') // no sign, no "inf"
    return std::nullopt;
  double seconds = 0;
  auto [end, bad] =
      std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  if (bad != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return std::min(seconds, longest_seconds);
}

unsigned month_of(std::string_view name) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  auto at = months.find(name);
  return name.size() != 3 || at == std::string_view::npos || at % 3 != 0
             ? 0
             : static_cast<unsigned>(at / 3) + 1;
}

/// Reads an IMF-fixdate of RFC 9110, the one form that may be sent.
/// In milliseconds: the nanoseconds of a clock end in the year 2262.
std::optional<std::chrono::sys_time<milliseconds>> read_date(const std::string& text) {
  using namespace std::chrono;
  char month_name[4] = "";
  unsigned day_number = 0;
  int year_number = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  int end = 0;
  auto read = std::sscanf(text.c_str(), "%*3[A-Za-z], %2u %3[A-Za-z] %4d %2u:%2u:%2u GMT%n",
                          &day_number, month_name, &year_number, &hour, &minute, &second, &end);
  year_month_day date{year{year_number}, month{month_of(month_name)}, day{day_number}};
  if (read != 6 || end != static_cast<int>(text.size()) || !date.ok() || hour > 23 || minute > 59 ||
      second > 60)
    return std::nullopt;
  return sys_days{date} + hours{hour} + minutes{minute} + seconds{second};
}

} // namespace

std::optional<milliseconds> retry_delay(const std::string& retry_after,
                                        std::chrono::system_clock::time_point now) {
  if (auto seconds = read_seconds(retry_after))
    return std::chrono::ceil<milliseconds>(std::chrono::duration<double>{*seconds});
  const auto past = std::chrono::floor<milliseconds>(now);
  if (auto date = read_date(retry_after))
    return std::max(*date, past) - past;
  return std::nullopt;
}

uint32_t milliseconds_until_retry(const std::string& retry_after) {
  const auto asked = retry_delay(retry_after, std::chrono::system_clock::now());
  return asked ? static_cast<uint32_t>(std::min<int64_t>(asked->count(), UINT32_MAX)) : 0;
}

void model_attempts::use(const model_config& model) noexcept {
  max_ = model.max_attempts;
  first_delay_ = model.retry_delay;
  max_delay_ = model.max_retry_delay;
  made_ = 0;
}

milliseconds model_attempts::longest_backoff() const noexcept {
  auto delay = std::min(first_delay_, max_delay_);
  for (uint32_t i = 1; i < made_ && delay < max_delay_ && delay > delay.zero(); ++i)
    delay = delay > max_delay_ / 2 ? max_delay_ : delay * 2;
  return delay;
}

attempt_verdict model_attempts::failed(const failed_attempt& how, milliseconds left, double chance,
                                       std::chrono::system_clock::time_point now) const {
  if (auto best = best_step(how); best != step::again)
    return {best};
  if (is_last())
    return {step::fall_back};
  auto asked = retry_delay(how.retry_after, now);
  auto delay =
      asked ? *asked : std::chrono::duration_cast<milliseconds>(longest_backoff() * chance);
  if (delay > max_delay_ || delay >= left)
    return {step::fall_back};
  return {step::again, delay};
}

} // namespace troupe

#include "actors/model/model_attempts.hpp"

#include "tests/support/catch.hpp"

namespace model_attempts_test {

using namespace troupe;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using step = attempt_verdict::step;

namespace {

const auto wall = std::chrono::sys_days{std::chrono::year{1994} / 11 / 6} + 8h + 49min + 30s;

model_config model(uint32_t attempts = 3) {
  model_config made;
  made.max_attempts = attempts;
  made.retry_delay = 500ms;
  made.max_retry_delay = 30s;
  return made;
}

/// The verdict after the `n`-th attempt (from 1) of a model that is granted ten.
attempt_verdict after(uint32_t n, const failed_attempt& how, double chance = 1,
                      milliseconds left = milliseconds::max()) {
  model_attempts attempts;
  attempts.use(model(10));
  for (uint32_t i = 0; i < n; ++i)
    attempts.begin();
  return attempts.failed(how, left, chance, wall);
}

} // namespace

TEST_CASE("what may be better the next time is tried again", "[actors][model_attempts]") {
  struct row {
    failed_attempt how;
    step expected;
  };
  auto [how, expected] = GENERATE(values<row>({
      {{errc::model_failed, 408, ""}, step::again},
      {{errc::model_refused, 409, ""}, step::again},
      {{errc::model_refused, 425, ""}, step::again},
      {{errc::model_rate_limited, 429, ""}, step::again},
      {{errc::model_rate_limited, 200, ""}, step::again},
      {{errc::model_quota_exhausted, 429, ""}, step::fall_back},
      {{errc::model_quota_exhausted, 200, ""}, step::fall_back},
      {{errc::model_overloaded, 529, "", 0}, step::fall_back},
      {{errc::model_failed, 200, "", 0}, step::fall_back},
      {{errc::model_request_invalid, 400, "", 0}, step::give_up},
      {{errc::model_request_invalid, 400, "", 1}, step::again},
      {{errc::model_failed, 500, ""}, step::again},
      {{errc::model_failed, 502, ""}, step::again},
      {{errc::model_overloaded, 503, ""}, step::again},
      {{errc::model_overloaded, 529, ""}, step::again},
      {{errc::model_unreachable, 0, ""}, step::again},
      {{errc::connect_timeout, 0, ""}, step::again},
      {{errc::model_stream_cut, 0, ""}, step::again},
      {{errc::model_stream_cut, 200, ""}, step::again},
      {{errc::model_overloaded, 200, ""}, step::again},
      {{errc::model_failed, 200, ""}, step::again},
      {{errc::model_refused, 301, ""}, step::give_up},
      {{errc::model_request_invalid, 400, ""}, step::give_up},
      {{errc::model_refused, 401, ""}, step::give_up},
      {{errc::model_refused, 403, ""}, step::give_up},
      {{errc::model_refused, 404, ""}, step::give_up},
      {{errc::model_request_invalid, 422, ""}, step::give_up},
      {{errc::model_refused, 200, ""}, step::give_up},
      {{errc::model_answer_invalid, 200, ""}, step::give_up},
      {{errc::model_timeout, 500, ""}, step::give_up},
      {{errc::model_first_token_timeout, 0, ""}, step::fall_back},
      {{errc::model_first_token_timeout, 500, ""}, step::fall_back},
      {{errc::model_idle_timeout, 200, ""}, step::fall_back},
      {{errc::model_busy, 0, ""}, step::fall_back},
  }));
  INFO(to_string(how.code) << ' ' << how.status);
  CHECK(after(1, how).next == expected);
}

TEST_CASE("the delay doubles up to its bound, and the jitter takes any part of it",
          "[actors][model_attempts]") {
  failed_attempt how{errc::model_unreachable, 0, ""};
  CHECK(after(1, how).delay == 500ms);
  CHECK(after(2, how).delay == 1s);
  CHECK(after(3, how).delay == 2s);
  CHECK(after(6, how).delay == 16s);
  CHECK(after(7, how).delay == 30s);
  CHECK(after(9, how).delay == 30s);
  CHECK(after(3, how, 0.25).delay == 500ms);
  CHECK(after(3, how, 0).delay == 0ms);
}

TEST_CASE("Retry-After is waited for exactly, whatever the jitter", "[actors][model_attempts]") {
  CHECK(after(1, {errc::model_overloaded, 429, "7"}, 0).delay == 7s);
  CHECK(after(1, {errc::model_overloaded, 429, "0"}, 0.9).delay == 0ms);
  CHECK(after(1, {errc::model_overloaded, 429, "soon"}, 0.5).delay == 250ms);
}

TEST_CASE("a wait that is too long is not begun", "[actors][model_attempts]") {
  failed_attempt how{errc::model_overloaded, 429, "30"};
  CHECK(after(1, how).next == step::again);
  CHECK(after(1, {errc::model_overloaded, 429, "31"}).next == step::fall_back);
  CHECK(after(1, how, 0, 30s).next == step::fall_back);
  CHECK(after(1, how, 0, 30001ms).next == step::again);
  CHECK(after(1, {errc::model_unreachable, 0, ""}, 1, 500ms).next == step::fall_back);
}

TEST_CASE("the last attempt of a model is followed by its fallback, which has its own",
          "[actors][model_attempts]") {
  model_attempts attempts;
  attempts.use(model(2));
  failed_attempt how{errc::model_failed, 500, ""};
  attempts.begin();
  CHECK_FALSE(attempts.is_last());
  CHECK(attempts.failed(how, 1h, 0, wall).next == step::again);
  attempts.begin();
  CHECK(attempts.is_last());
  CHECK(attempts.failed(how, 1h, 0, wall).next == step::fall_back);
  attempts.use(model(1));
  attempts.begin();
  CHECK(attempts.is_last());
  CHECK(attempts.total() == 3);
}

TEST_CASE("Retry-After is a number of seconds or a date", "[actors][model_attempts]") {
  CHECK(retry_delay("120", wall) == 120s);
  CHECK(retry_delay("0.25", wall) == 250ms);
  CHECK(retry_delay("99999999999999999999", wall) > 24h);
  CHECK(retry_delay("Sun, 06 Nov 1994 08:49:37 GMT", wall) == 7s);
  CHECK(retry_delay("Sun, 06 Nov 1994 08:49:00 GMT", wall) == 0ms); // it has passed
  CHECK(retry_delay("Mon, 07 Nov 1994 08:49:30 GMT", wall) == 24h);
  CHECK(retry_delay("Sun, 06 Nov 1994 08:49:31 GMT", wall + 1us) == 1s);
  CHECK(retry_delay("Sun, 06 Nov 1994 08:49:31 GMT", wall + 999'001us) == 1ms);
}

TEST_CASE("a Retry-After far ahead is a long time, not the past", "[actors][model_attempts]") {
  auto date = GENERATE("Fri, 11 Apr 2262 23:47:17 GMT", "Mon, 01 Jan 2300 00:00:00 GMT",
                       "Thu, 01 Jan 2600 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(retry_delay(date, wall) > 267 * 365 * 24h);
  CHECK(retry_delay("Sat, 01 Jan 0000 00:00:00 GMT", wall) == 0ms);
}

TEST_CASE("a Retry-After that cannot be read says nothing", "[actors][model_attempts]") {
  auto text = GENERATE("", "soon", "-1", "1 minute", "nan", "inf", "1e3", "0x10",
                       "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT",
                       "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
                       "Sun, 06 Nov 1994 08:49:37 GMT and more");
  INFO(text);
  CHECK_FALSE(retry_delay(text, wall));
}

} // namespace model_attempts_test

#include "messages/wire/provider/provider_error.hpp"

#include <fmt/format.h>

#include "tests/support/catch.hpp"

namespace provider_error_test {

using namespace troupe;

TEST_CASE("an excerpt is one short line without markup or control characters",
          "[messages][provider_error]") {
  CHECK(excerpt("") == "");
  CHECK(excerpt(" a\r\n\tb\x01\x7F c ") == "a b c");
  CHECK(excerpt("<p class='x'>1 < 2</p>\n<!-- note -->ok") == "1 < 2 ok");
  CHECK(excerpt("bad \xFF byte") == "bad \xEF\xBF\xBD byte");
  CHECK(excerpt(std::string(300, 'x')) == std::string(200, 'x') + "...");
  CHECK(excerpt("ääää", 5) == "ää...");
}

TEST_CASE("the message of an error is found in every dialect", "[messages][provider_error]") {
  for (auto json : {R"({"error":{"message":"m"}})", R"({"error":"m"})", R"({"message":"m"})",
                    R"({"detail":"m"})", R"([{"error":{"message":"m"}}])", R"({"msg":"m"})",
                    R"({"error":{},"message":"m"})", R"("m")"})
    CHECK(provider_error(500, json).message == "m");
  CHECK(provider_error(200, "{}").message == "The model reported: {}");
  CHECK(provider_error(200, "[]").code == errc::model_failed);
}

TEST_CASE("an error inside a stream is classified by what it says", "[messages][provider_error]") {
  auto code = [](const char* json) { return provider_error(200, json).code; };
  CHECK(code(R"({"error":{"message":"m","code":503}})") == errc::model_overloaded);
  CHECK(code(R"({"error":{"message":"m","code":"429"}})") == errc::model_rate_limited);
  CHECK(code(R"({"error":{"message":"m","type":"overloaded_error"}})") == errc::model_overloaded);
  CHECK(code(R"({"error":{"message":"m","code":"slow_down"}})") == errc::model_overloaded);
  CHECK(code(R"({"error":{"message":"m","status":"RESOURCE_EXHAUSTED"}})") ==
        errc::model_rate_limited);
  CHECK(code(R"({"error":{"message":"m","code":400}})") == errc::model_request_invalid);
  CHECK(code(R"({"error":{"message":"m","code":404}})") == errc::model_refused);
  CHECK(code(R"({"error":{"message":"m","code":99999999999999999999}})") == errc::model_failed);
  CHECK(code(R"({"error":{"message":"m"}})") == errc::model_failed);
}

TEST_CASE("a quota that is used up is told apart from too many requests",
          "[messages][provider_error]") {
  auto code = [](const char* json) { return refused_exchange(429, "", "", json).code; };
  CHECK(code(R"({"error":{"message":"m","code":"rate_limit_exceeded"}})") ==
        errc::model_rate_limited);
  CHECK(code(R"({"error":{"message":"m","code":"insufficient_quota"}})") ==
        errc::model_quota_exhausted);
  CHECK(code(R"({"error":{"message":"m","type":"billing_error"}})") == errc::model_quota_exhausted);
  CHECK(code(R"({"error":{"message":"you have insufficient_quota","code":"x"}})") ==
        errc::model_rate_limited); // what a message says decides nothing
  CHECK(refused_exchange(402, "", "", R"({"error":{"message":"m"}})").code ==
        errc::model_quota_exhausted);
  CHECK(provider_error(200, R"({"error":{"message":"m","code":402}})").code ==
        errc::model_quota_exhausted);
  auto google = [](std::string_view quota) {
    return fmt::format(R"({{"error":{{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED",)"
                       R"("details":[{{"@type":"QuotaFailure","violations":[{}]}},)"
                       R"({{"@type":"RetryInfo","retryDelay":"34.5s"}}]}}}})",
                       quota);
  };
  auto per_day = google(R"({"quotaId":"RequestsPerDayPerProject","quotaValue":"50"})");
  CHECK(code(per_day.c_str()) == errc::model_quota_exhausted);
  CHECK(code(google(R"({"quotaId":"PerMinute","quotaValue":"0"})").c_str()) ==
        errc::model_quota_exhausted);
  auto per_minute = google(R"({"quotaId":"RequestsPerMinute","quotaValue":"15"})");
  CHECK(code(per_minute.c_str()) == errc::model_rate_limited);
  CHECK(retry_delay_in(per_minute) == 34'500);
  CHECK(retry_delay_in("[" + per_minute + "]") == 34'500);
  CHECK(retry_delay_in(R"({"error":{"message":"retryDelay 5s"}})") == -1);
  for (auto delay : {"s", "-1s", "1e3s", "5", "5m", "99999999999s"})
    CHECK(retry_delay_in(fmt::format(
              R"({{"error":{{"message":"m","details":[{{"retryDelay":"{}"}}]}}}})", delay)) == -1);
}

TEST_CASE("a wrong key is a refusal, whatever its status", "[messages][provider_error]") {
  constexpr auto json = R"({"error":{"code":400,"message":"API key not valid.",
      "status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}})";
  CHECK(refused_exchange(400, "", "", json).code == errc::model_refused);
  CHECK(provider_error(200, json).code == errc::model_refused);
  CHECK(refused_exchange(400, "", "",
                         R"({"error":{"code":400,"message":"API_KEY_INVALID","details":[]}})")
            .code == errc::model_request_invalid);
}

TEST_CASE("when to come back is told", "[messages][provider_error]") {
  CHECK(refused_exchange(503, "", "Fri, 01 Jan 2027 00:00:00 GMT", "").message ==
        "the model answered 503 without a body (Retry-After: Fri, 01 Jan 2027 00:00:00 GMT)");
  CHECK(refused_exchange(429, "text/plain; charset=utf-8", "3", "busy").message ==
        "the model answered 429 with text/plain: busy (Retry-After: 3 s)");
}

} // namespace provider_error_test

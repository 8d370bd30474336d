#include "apps/model/gemini/gemini_error.hpp"

#include <string_view>

#include <fmt/format.h>

namespace troupe::scripted {

namespace {

struct gemini_error {
  uint16_t status;
  std::string_view word;
  std::string_view message;
};

gemini_error usual_gemini_error(refusal_kind kind) {
  switch (kind) {
  case refusal_kind::invalid:
    return {400, "INVALID_ARGUMENT", "The script refuses every request."};
  case refusal_kind::unauthorized:
    return {400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."};
  case refusal_kind::unknown_model:
  case refusal_kind::unknown_path:
    return {404, "NOT_FOUND", "Requested entity was not found."};
  case refusal_kind::wrong_method:
    return {405, "UNIMPLEMENTED", "The method is not allowed here."};
  case refusal_kind::rate_limited:
  case refusal_kind::no_quota:
    return {429, "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details."};
  case refusal_kind::overloaded:
    return {503, "UNAVAILABLE", "The model is overloaded. Please try again later."};
  case refusal_kind::failed:
    break;
  }
  return {500, "INTERNAL", "An internal error has occurred."};
}

/// A quota of a day cannot be waited for.
std::string_view details_of(refusal_kind kind) {
  if (kind == refusal_kind::rate_limited)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":)"
           R"([{"quotaMetric":"generativelanguage.googleapis.com/requests",)"
           R"("quotaId":"GenerateRequestsPerMinutePerProjectPerModel","quotaValue":"60"}]},)"
           R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}])";
  if (kind == refusal_kind::no_quota)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":)"
           R"([{"quotaMetric":"generativelanguage.googleapis.com/requests",)"
           R"("quotaId":"GenerateRequestsPerDayPerProjectPerModel","quotaValue":"0"}]}])";
  if (kind == refusal_kind::unauthorized)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
           R"("reason":"API_KEY_INVALID","domain":"googleapis.com"}])";
  return {};
}

} // namespace

std::string gemini_error_json(const refusal& why) {
  const auto usual = usual_gemini_error(why.kind);
  return fmt::format(R"({{"error":{{"code":{},"message":{},"status":"{}"{}}}}})", usual.status,
                     to_json(why.message.empty() ? usual.message : std::string_view{why.message}),
                     usual.word, details_of(why.kind));
}

http_answer refuse_gemini(const refusal& why) {
  return {usual_gemini_error(why.kind).status,
          {{"content-type", "application/json; charset=UTF-8"}},
          gemini_error_json(why)};
}

} // namespace troupe::scripted

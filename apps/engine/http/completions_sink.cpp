#include "apps/engine/http/completions_sink.hpp"

#include <utility>

#include "apps/engine/http/late_stream.hpp"
#include "apps/engine/http/response_sink.hpp"
#include "apps/engine/http/whole_sink.hpp"

namespace troupe {

namespace {

/// OpenAI's clients try again by the status: after 408, 409, 429 and 5xx.
uint16_t status_of(errc code) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
  case errc::model_rate_limited:
  case errc::model_quota_exhausted:
    return 429;
  case errc::model_timeout:
  case errc::model_first_token_timeout:
  case errc::model_idle_timeout:
    return 504;
  case errc::model_unreachable:
  case errc::model_refused:
  case errc::model_failed:
  case errc::model_answer_invalid:
  case errc::model_stream_cut:
    return 502;
  default:
    return http_status(code);
  }
}

} // namespace

std::unique_ptr<event_sink> completions_stream_sink(std::shared_ptr<http_response> response,
                                                    const completion_identity& identity,
                                                    bool include_usage, headers extra,
                                                    stream_keep_alive* keep_alive) {
  return make_late_stream(
      foreign_answer{std::move(response), std::move(extra), send_completions_error},
      completions_stream{identity, include_usage}, keep_alive);
}

std::unique_ptr<event_sink> completion_sink(std::shared_ptr<http_response> response,
                                            completion_identity identity, headers extra) {
  return make_whole_answer(
      foreign_answer{std::move(response), std::move(extra), send_completions_error},
      completion_collector{std::move(identity)});
}

void send_completions_error(http_response& response, const failure& why, headers extra) {
  extra.push_back({"content-type", "application/json"});
  // OpenAI's clients repeat a failed request by its status, or as this header says.
  extra.push_back({"x-should-retry", retryable(why.code) ? "true" : "false"});
  response.send(status_of(why.code), extra, completions_error(why));
}

} // namespace troupe

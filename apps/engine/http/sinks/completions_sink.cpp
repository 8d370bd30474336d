#include "apps/engine/http/sinks/completions_sink.hpp"

#include <utility>

#include "apps/engine/http/sinks/delayed_stream.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "apps/engine/http/sinks/single_response_sink.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/clients/completions/text_completion.hpp"

namespace troupe {

namespace {

compat_answer openai_answer(std::shared_ptr<http_response>&& response, headers&& extra) {
  return {std::move(response), std::move(extra), send_completions_error};
}

} // namespace

std::unique_ptr<event_sink> completions_stream_sink(std::shared_ptr<http_response> response,
                                                    const completion_identity& identity,
                                                    bool include_usage, headers extra,
                                                    stream_keep_alive* keep_alive) {
  return make_delayed_stream(openai_answer(std::move(response), std::move(extra)),
                             completions_stream{identity, include_usage}, keep_alive);
}

std::unique_ptr<event_sink> completion_sink(std::shared_ptr<http_response> response,
                                            completion_identity identity, headers extra) {
  return make_single_response(openai_answer(std::move(response), std::move(extra)),
                              completion_collector{std::move(identity)});
}

std::unique_ptr<event_sink> text_completion_stream_sink(std::shared_ptr<http_response> response,
                                                        const completion_identity& identity,
                                                        bool include_usage, headers extra,
                                                        stream_keep_alive* keep_alive) {
  return make_delayed_stream(openai_answer(std::move(response), std::move(extra)),
                             text_completion_stream{identity, include_usage}, keep_alive);
}

std::unique_ptr<event_sink> text_completion_sink(std::shared_ptr<http_response> response,
                                                 completion_identity identity, headers extra) {
  return make_single_response(openai_answer(std::move(response), std::move(extra)),
                              text_completion_collector{std::move(identity)});
}

uint16_t completions_status(errc code) {
  // OpenAI's clients try again by the status: after 408, 409, 429 and 5xx.
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
  case errc::model_rate_limited:
  case errc::model_quota_exhausted:
    return 429;
  default:
    return gateway_status(code, http_status(code));
  }
}

void send_completions_error(http_response& response, const failure& why, headers extra) {
  extra.push_back({"content-type", "application/json"});
  add_retry_after(extra, why);
  // OpenAI's clients repeat a failed request by its status, or as this header says.
  extra.push_back({"x-should-retry", retryable(why.code) ? "true" : "false"});
  response.send(completions_status(why.code), extra, completions_error(why));
}

} // namespace troupe

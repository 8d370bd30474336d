#include "apps/engine/http/sinks/claude_sink.hpp"

#include <utility>

#include "apps/engine/http/sinks/delayed_stream.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "apps/engine/http/sinks/single_response_sink.hpp"

namespace troupe {

std::unique_ptr<event_sink> claude_stream_sink(std::shared_ptr<http_response> response,
                                               claude_identity identity, headers extra,
                                               stream_keep_alive* keep_alive) {
  return make_delayed_stream(
      compat_answer{std::move(response), std::move(extra), send_claude_error},
      claude_stream{std::move(identity)}, keep_alive);
}

std::unique_ptr<event_sink> claude_sink(std::shared_ptr<http_response> response,
                                        claude_identity identity, headers extra) {
  return make_single_response(
      compat_answer{std::move(response), std::move(extra), send_claude_error},
      claude_collector{std::move(identity)});
}

void send_claude_error(http_response& response, const failure& why, headers extra) {
  const auto status = claude_status(why.code, http_status(why.code));
  extra.push_back({"content-type", "application/json"});
  add_retry_after(extra, why);
  // Anthropic's clients repeat a failed request by its status, or as this header says.
  extra.push_back({"x-should-retry", retryable(why.code) ? "true" : "false"});
  response.send(status, extra, claude_error(why, status));
}

} // namespace troupe

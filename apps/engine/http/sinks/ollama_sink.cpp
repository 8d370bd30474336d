#include "apps/engine/http/sinks/ollama_sink.hpp"

#include <utility>

#include "apps/engine/http/sinks/completions_sink.hpp"
#include "apps/engine/http/sinks/delayed_stream.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "apps/engine/http/sinks/single_response_sink.hpp"

namespace troupe {

std::unique_ptr<event_sink> ollama_stream_sink(std::shared_ptr<http_response> response,
                                               ollama_identity identity, headers extra,
                                               stream_keep_alive* keep_alive) {
  const auto form = identity.form;
  return make_delayed_stream(compat_answer{std::move(response), std::move(extra), send_ollama_error,
                                           "application/x-ndjson", ollama_sign_of_life(form)},
                             ollama_stream{std::move(identity)}, keep_alive);
}

std::unique_ptr<event_sink> ollama_sink(std::shared_ptr<http_response> response,
                                        ollama_identity identity, headers extra) {
  return make_single_response(
      compat_answer{std::move(response), std::move(extra), send_ollama_error},
      ollama_collector{std::move(identity)});
}

void send_ollama_error(http_response& response, const failure& why, headers extra) {
  extra.push_back({"content-type", "application/json"});
  add_retry_after(extra, why);
  response.send(completions_status(why.code), extra, ollama_error(why));
}

} // namespace troupe

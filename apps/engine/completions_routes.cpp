#include "apps/engine/completions_routes.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "actors/ids.hpp"
#include "actors/subscriber.hpp"
#include "apps/engine/completions_sink.hpp"
#include "apps/engine/request_trace.hpp"
#include "messages/wire/completions_request.hpp"

namespace troupe {

namespace {

int64_t unix_seconds() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void post_completion(http_call& in) {
  completions_request asked;
  auto bad = parse_completions_request(in.request.body, asked);
  auto& options = asked.turn.options;
  options.request_id = request_id_of(in.request.fields);
  options.traceparent = traceparent_of(in.request.fields);
  headers extra{{"x-request-id", options.request_id}};
  if (bad)
    return send_completions_error(*in.response, bad, std::move(extra));
  completion_identity identity{make_id("chatcmpl-"), options.model, unix_seconds()};
  if (identity.model.empty())
    identity.model = in.config.default_model;
  if (identity.model.empty() && !in.config.models.empty())
    identity.model = in.config.models.begin()->first; // as the sessions do
  asked.turn.session_id = in.chat(identity.id);
  asked.turn.concurrent_turns = in.who.concurrent_turns;
  auto sink = asked.stream
                  ? completions_stream_sink(std::move(in.response), identity, asked.include_usage,
                                            std::move(extra), in.silent)
                  : completion_sink(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(asked.turn), std::move(sink));
}

void get_models(http_call& in) {
  json_buffer out;
  append_raw(out, R"({"object":"list","data":[)");
  bool first = true;
  for (const auto& each : in.config.models) {
    append_raw(out, std::exchange(first, false) ? R"({"id":)" : R"(,{"id":)");
    append_json(out, each.first);
    append_raw(out, R"(,"object":"model","created":0,"owned_by":"troupe"})");
  }
  append_raw(out, "]}");
  in.response->send(200, {{"content-type", "application/json"}}, std::string{view(out)});
}

constexpr std::array routes{
    http_route{"POST", "/v1/chat/completions", post_completion},
    http_route{"GET", "/v1/models", get_models},
};

} // namespace

std::span<const http_route> completions_routes() {
  return routes;
}

} // namespace troupe

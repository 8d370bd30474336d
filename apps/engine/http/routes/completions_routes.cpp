#include "apps/engine/http/routes/completions_routes.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/completions_sink.hpp"
#include "apps/engine/http/request_trace.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/completions/completions_request.hpp"

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
                                            std::move(extra), in.keep_alive)
                  : completion_sink(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(asked.turn), std::move(sink));
}

void append_model(json_buffer& out, const std::string& name) {
  append_raw(out, R"({"id":)");
  append_json(out, name);
  append_raw(out, R"(,"object":"model","created":0,"owned_by":"troupe"})");
}

void send_json(http_response& response, const json_buffer& body) {
  response.send(200, {{"content-type", "application/json"}}, std::string{view(body)});
}

void get_models(http_call& in) {
  json_buffer out;
  append_raw(out, R"({"object":"list","data":[)");
  for (bool first = true; const auto& each : in.config.models) {
    append_raw(out, std::exchange(first, false) ? "" : ",");
    append_model(out, each.first);
  }
  append_raw(out, "]}");
  send_json(*in.response, out);
}

void get_model(http_call& in) {
  const auto& name = in.ids[0];
  if (!in.config.models.contains(name))
    return send_completions_error(
        *in.response, {errc::model_unknown, "There is no model '" + name + "' here."}, {});
  json_buffer out;
  append_model(out, name);
  send_json(*in.response, out);
}

constexpr std::array completions_rows{
    http_route{"POST", "/v1/chat/completions", post_completion},
    http_route{"GET", "/v1/models", get_models},
    http_route{"GET", "/v1/models/{}", get_model},
};

} // namespace

std::span<const http_route> completions_routes() {
  return completions_rows;
}

} // namespace troupe

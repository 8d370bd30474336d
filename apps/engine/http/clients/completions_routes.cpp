#include "apps/engine/http/clients/completions_routes.hpp"

#include <array>
#include <set>
#include <string>
#include <utility>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/foreign_turn.hpp"
#include "apps/engine/http/completions_sink.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/completions/completions_request.hpp"

namespace troupe {

namespace {

void post_completion(http_call& in) {
  completions_request asked;
  auto bad = parse_completions_request(in.request.body, asked);
  auto& options = asked.turn.options;
  describe_foreign_turn(in, asked.turn);
  headers extra{{"x-request-id", options.request_id}};
  if (bad)
    return send_completions_error(*in.response, bad, std::move(extra));
  completion_identity identity{make_id("chatcmpl-"), shown_model(in, asked.turn), unix_seconds()};
  asked.turn.session_id = in.chat(identity.id);
  auto sink = asked.stream
                  ? completions_stream_sink(std::move(in.response), identity, asked.include_usage,
                                            std::move(extra), in.keep_alive)
                  : completion_sink(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(asked.turn), std::move(sink));
}

/// Appends a model as OpenAI's clients read it, with the members that Anthropic's clients read.
void append_model(json_buffer& out, const std::string& name) {
  append_raw(out, R"({"id":)");
  append_json(out, name);
  append_raw(out, R"(,"object":"model","created":0,"owned_by":"troupe","type":"model",)"
                  R"("created_at":"1970-01-01T00:00:00Z","display_name":)");
  append_json(out, name);
  out.push_back('}');
}

/// Returns the names that requests can use, but for "*", which is none.
std::set<std::string> model_names(const engine_config& config) {
  std::set<std::string> names;
  for (const auto& each : config.models)
    names.insert(each.first);
  for (const auto& each : config.model_aliases)
    if (each.first != "*")
      names.insert(each.first);
  return names;
}

void send_json(http_response& response, const json_buffer& body) {
  response.send(200, {{"content-type", "application/json"}}, std::string{view(body)});
}

void get_models(http_call& in) {
  const auto names = model_names(in.config);
  json_buffer out;
  append_raw(out, R"({"object":"list","data":[)");
  for (bool first = true; const auto& each : names) {
    append_raw(out, std::exchange(first, false) ? "" : ",");
    append_model(out, each);
  }
  append_raw(out, R"(],"has_more":false,"first_id":)");
  append_json(out, names.empty() ? raw_json{} : raw_json{to_json(*names.begin())});
  append_raw(out, R"(,"last_id":)");
  append_json(out, names.empty() ? raw_json{} : raw_json{to_json(*names.rbegin())});
  out.push_back('}');
  send_json(*in.response, out);
}

void get_model(http_call& in) {
  const auto& name = in.ids[0];
  if (!model_names(in.config).contains(name))
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

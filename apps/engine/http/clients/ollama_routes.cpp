#include "apps/engine/http/clients/ollama_routes.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/compat_turn.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/sinks/ollama_sink.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/ollama/ollama_body.hpp"
#include "messages/wire/clients/ollama/ollama_catalog.hpp"

namespace troupe {

namespace {

void send_ollama_json(http_response& response, std::string body, headers extra = {}) {
  extra.push_back({"content-type", "application/json"});
  response.send(200, extra, std::move(body));
}

failure no_such_model(const std::string& name) {
  return {errc::model_unknown, "There is no model '" + name + "' here."};
}

/// Says that the model is there, or not.
void answer_load(http_call& in, const ollama_identity& identity, headers extra) {
  if (find_model(in.config, identity.model) == nullptr)
    return send_ollama_error(*in.response, no_such_model(identity.model), std::move(extra));
  send_ollama_json(*in.response, ollama_loaded(identity), std::move(extra));
}

/// Runs a turn whose body `parse` reads.
void answer_ollama(http_call& in, ollama_form form,
                   failure (*parse)(std::string_view, ollama_body&)) {
  ollama_body asked;
  auto bad = parse(in.request.body, asked);
  auto& turn = asked.turn;
  ollama_identity identity{shown_model(in, turn), form, asked.shows_thinking};
  describe_compat_turn(in, turn);
  headers extra{{"x-request-id", turn.options.request_id}};
  if (bad)
    return send_ollama_error(*in.response, bad, std::move(extra));
  if (asked.only_loads)
    return answer_load(in, identity, std::move(extra));
  turn.session_id = in.chat(make_id("ollama-"));
  auto sink = asked.stream
                  ? ollama_stream_sink(std::move(in.response), std::move(identity),
                                       std::move(extra), in.services.keep_alive)
                  : ollama_sink(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(turn), std::move(sink));
}

void post_generate(http_call& in) {
  answer_ollama(in, ollama_form::prompt, parse_ollama_prompt);
}

void get_tags(http_call& in) {
  send_ollama_json(*in.response, ollama_tags_json(model_names(in.config)));
}

/// Returns what clients may rely on: a model thinks where its configuration asks it to.
ollama_model described(const model_config& model) {
  const auto& asked = model.generation;
  const auto budget = asked.reasoning_budget; // -2: not said
  const auto has_effort = !asked.reasoning_effort.empty() && asked.reasoning_effort != "none";
  return {model.images, has_effort || budget == -1 || budget > 0 || model.start_with_reasoning,
          asked.context_tokens};
}

void post_show(http_call& in) {
  std::string name;
  if (auto bad = read_ollama_model(in.request.body, name))
    return send_ollama_error(*in.response, bad);
  const auto* model = find_model(in.config, name);
  if (model == nullptr)
    return send_ollama_error(*in.response, no_such_model(name));
  send_ollama_json(*in.response, ollama_show_json(described(*model)));
}

void get_version(http_call& in) {
  send_ollama_json(*in.response, ollama_version_json());
}

constexpr std::array ollama_rows{
    http_route{"POST", "/api/generate", post_generate, route_access::owners, false,
               turn_place::fresh},
    http_route{"GET", "/api/tags", get_tags},
    http_route{"POST", "/api/show", post_show},
    http_route{"GET", "/api/version", get_version},
};

} // namespace

void post_ollama_chat(http_call& in) {
  answer_ollama(in, ollama_form::chat, parse_ollama_chat);
}

route_table ollama_routes() {
  return ollama_rows;
}

} // namespace troupe

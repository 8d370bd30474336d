#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/compat_turn.hpp"
#include "apps/engine/http/sinks/completions_sink.hpp"
#include "messages/ids.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/clients/completions/completions_request.hpp"

namespace troupe {

namespace {

/// One kind of completions: how its body is read, and how it is answered.
struct completion_form {
  failure (*parse)(std::string_view, completions_request&);
  std::string_view id_prefix;
  decltype(&completions_stream_sink) streamed;
  decltype(&completion_sink) whole;
};

constexpr completion_form of_chat{parse_completions_request, "chatcmpl-", completions_stream_sink,
                                  completion_sink};
constexpr completion_form of_text{parse_text_completion_request, "cmpl-",
                                  text_completion_stream_sink, text_completion_sink};

void answer_completion(http_call& in, const completion_form& form) {
  completions_request asked;
  auto bad = form.parse(in.request.body, asked);
  auto& options = asked.turn.options;
  completion_identity identity{make_id(form.id_prefix), shown_model(in, asked.turn),
                               unix_seconds()};
  describe_compat_turn(in, asked.turn);
  headers extra{{"x-request-id", options.request_id}};
  if (bad)
    return send_completions_error(*in.response, bad, std::move(extra));
  asked.turn.session_id = in.chat(identity.id);
  auto sink = asked.stream
                  ? form.streamed(std::move(in.response), identity, asked.include_usage,
                                  std::move(extra), in.services.keep_alive)
                  : form.whole(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(asked.turn), std::move(sink));
}

void post_chat_completion(http_call& in) {
  answer_completion(in, of_chat);
}

void post_text_completion(http_call& in) {
  answer_completion(in, of_text);
}

/// Appends a model as OpenAI's clients read it, with the members that Anthropic's clients read.
void append_model(json_buffer& out, const std::string& name) {
  json_object{out}
      .member("id", name)
      .member("object", "model")
      .member("created", 0)
      .member("owned_by", "troupe")
      .member("type", "model")
      .member("created_at", "1970-01-01T00:00:00Z")
      .member("display_name", name);
}

void append_models(json_buffer& out, const std::set<std::string>& names) {
  json_object all{out};
  all.member("object", "list").array("data").each(names, append_model);
  all.member("has_more", false)
      .or_null("first_id", names.empty() ? std::string{} : *names.begin())
      .or_null("last_id", names.empty() ? std::string{} : *names.rbegin());
}

void send_json(http_response& response, const json_buffer& body) {
  response.send(200, {{"content-type", "application/json"}}, std::string{view(body)});
}

void get_models(http_call& in) {
  json_buffer out;
  append_models(out, model_names(in.config));
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
    http_route{"POST", "/v1/chat/completions", post_chat_completion, route_access::owners, false,
               turn_place::fresh},
    http_route{"POST", "/v1/completions", post_text_completion, route_access::owners, false,
               turn_place::fresh},
    http_route{"GET", "/v1/models", get_models},
    http_route{"GET", "/v1/models/{}", get_model},
};

} // namespace

route_table completions_routes() {
  return completions_rows;
}

} // namespace troupe

#include "messages/wire/openai_chat/openai_chat.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_chat_decoder.hpp"
#include "messages/wire/openai_chat/openai_messages.hpp"
#include "messages/wire/openai_chat/openai_parameters.hpp"
#include "messages/wire/openai_chat/openai_tools.hpp"

namespace troupe {

namespace {

bool streams(const model_request& asked) {
  return asked.streaming < 0 ? asked.model.streaming : asked.streaming != 0;
}

/// Some servers refuse `stream_options`: null in the parameters leaves it out.
bool asks_for_usage(const model_request& asked) {
  bool asks = true;
  for (auto json : {std::string_view{asked.model.parameters}, asked.parameters}) {
    if (json.find("\"stream_options\"") == json.npos)
      continue;
    const json_source source{json};
    std::string_view options;
    read_members(source.root(), {{"stream_options", &options}});
    if (!options.empty())
      asks = options != "null";
  }
  return asks;
}

std::string_view tools_of(const model_request& asked) {
  if (!asked.has_tools())
    return {};
  return asked.tools->rendered.get(openai_tools, asked.tools->tools);
}

std::string make_body(const model_request& asked) {
  const auto& model = asked.model;
  const auto tools = tools_of(asked);
  if (tools == "[]") { // none of them is usable; an empty list is refused
    auto without = asked;
    without.tools = nullptr;
    return make_body(without);
  }
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model.model.empty() ? model.name : model.model);
  append_raw(out, R"(,"messages":)");
  append_openai_messages(out, asked.history, model, asked.system);
  if (!tools.empty()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  append_openai_parameters(out, asked);
  append_raw(out, streams(asked) ? R"(,"stream":true)" : R"(,"stream":false)");
  if (streams(asked) && asks_for_usage(asked))
    append_raw(out, R"(,"stream_options":{"include_usage":true})");
  out.push_back('}');
  return std::string{view(out)};
}

/// Puts the method's path before the query, which some gateways want in the base URL.
std::string make_url(std::string_view base) {
  auto query = base.find('?');
  auto path = base.substr(0, query);
  while (path.ends_with('/'))
    path.remove_suffix(1);
  auto url = std::string{path}.append("/chat/completions");
  return query == std::string_view::npos ? url : url.append(base.substr(query));
}

http_request make_request(const model_request& asked) {
  const auto& model = asked.model;
  http_request request;
  request.method = "POST";
  request.url = make_url(model.base_url);
  request.fields.push_back({"content-type", "application/json"});
  request.fields.push_back({"accept", streams(asked) ? "text/event-stream" : "application/json"});
  if (!model.api_key.empty())
    request.fields.push_back({"authorization", "Bearer " + model.api_key});
  request.body = make_body(asked);
  request.proxy = model.proxy;
  request.deadlines = {model.timeouts.connect, {}, {}, {}}; // the model_stream has the others
  return request;
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<openai_chat_decoder>(std::move(id_prefix), model.start_with_reasoning);
}

} // namespace

const provider openai_chat{"openai", make_request, make_decoder};

} // namespace troupe

#include "messages/wire/openai_chat/openai_chat.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_chat_decoder.hpp"
#include "messages/wire/openai_chat/openai_messages.hpp"
#include "messages/wire/openai_chat/openai_parameters.hpp"

namespace troupe {

namespace {

bool streams(const model_prompt& prompt) {
  return prompt.streaming < 0 ? prompt.model.streaming : prompt.streaming != 0;
}

/// Some servers refuse the request for it: `null` in the parameters leaves it out.
bool asks_for_usage(const model_prompt& prompt) {
  bool asks = true;
  for (auto json : {std::string_view{prompt.model.parameters}, prompt.parameters}) {
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

std::string make_body(const model_prompt& prompt) {
  const auto& model = prompt.model;
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model.model.empty() ? model.name : model.model);
  append_raw(out, R"(,"messages":)");
  append_openai_messages(out, prompt.history, model, prompt.system);
  if (!prompt.tools.empty() && prompt.tools != "[]") {
    append_raw(out, R"(,"tools":)");
    append_raw(out, prompt.tools);
  }
  append_openai_parameters(out, prompt);
  append_raw(out, streams(prompt) ? R"(,"stream":true)" : R"(,"stream":false)");
  if (streams(prompt) && asks_for_usage(prompt))
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

http_request make_request(const model_prompt& prompt) {
  const auto& model = prompt.model;
  http_request request;
  request.method = "POST";
  request.url = make_url(model.base_url);
  request.fields.push_back({"content-type", "application/json"});
  request.fields.push_back({"accept", streams(prompt) ? "text/event-stream" : "application/json"});
  if (!model.api_key.empty())
    request.fields.push_back({"authorization", "Bearer " + model.api_key});
  request.body = make_body(prompt);
  request.proxy = model.proxy;
  request.deadlines = {model.timeouts.connect, {}, {}, {}}; // the rest is the model_stream's
  return request;
}

std::string render_tools(const std::vector<tool_definition>& tools) {
  if (tools.empty())
    return {};
  json_buffer out;
  for (const auto& each : tools) {
    append_raw(out, out.size() == 0 ? R"([{"type":"function","function":{"name":)"
                                    : R"(,{"type":"function","function":{"name":)");
    append_json(out, each.name);
    if (!each.description.empty()) {
      append_raw(out, R"(,"description":)");
      append_json(out, each.description);
    }
    append_raw(out, R"(,"parameters":)");
    append_raw(out, each.input_schema.empty() ? R"({"type":"object","properties":{}})"
                                              : std::string_view{each.input_schema});
    append_raw(out, each.strict ? R"(,"strict":true}})" : "}}");
  }
  out.push_back(']');
  return std::string{view(out)};
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<openai_chat_decoder>(std::move(id_prefix), model.start_with_reasoning);
}

} // namespace

const provider openai_chat{"openai", make_request, render_tools, make_decoder};

} // namespace troupe

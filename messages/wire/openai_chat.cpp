#include "messages/wire/openai_chat.hpp"

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/openai_chat_decoder.hpp"

namespace troupe {

namespace {

void append_calls(json_buffer& out, const std::vector<tool_call>& calls) {
  append_raw(out, R"(,"tool_calls":[)");
  for (size_t i = 0; i < calls.size(); ++i) {
    append_raw(out, i == 0 ? R"({"id":)" : R"(,{"id":)");
    append_json(out, calls[i].id);
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, calls[i].name);
    append_raw(out, R"(,"arguments":)");
    append_json(out, calls[i].arguments.empty() ? std::string_view{"{}"} : calls[i].arguments);
    append_raw(out, "}}");
  }
  out.push_back(']');
}

/// Appends, in a JSON string, what goes in front of a user's text: for each extra a line that says
/// where it is from, and its content.
void append_extras(json_buffer& out, const std::vector<message_extra>& extras) {
  for (const auto& each : extras)
    append_escaped(out, fmt::format("[Resource \"{}\" of the MCP server \"{}\": {}]\n{}\n\n",
                                    each.name, each.server_name, each.uri, each.content));
}

void append_content(json_buffer& out, const chat_message& message) {
  if (message.text.empty() && !message.tool_calls.empty()) {
    append_raw(out, "null");
    return;
  }
  out.push_back('"');
  append_extras(out, message.extras);
  append_escaped(out, message.text);
  out.push_back('"');
}

void append_message(json_buffer& out, const chat_message& message) {
  append_raw(out, R"({"role":)");
  append_json(out, message.who);
  append_raw(out, R"(,"content":)");
  append_content(out, message);
  // Providers that send it refuse a tool loop that does not give it back.
  if (!message.reasoning.empty()) {
    append_raw(out, R"(,"reasoning_content":)");
    append_json(out, message.reasoning);
  }
  if (!message.tool_calls.empty())
    append_calls(out, message.tool_calls);
  if (message.who == role::tool) {
    append_raw(out, R"(,"tool_call_id":)");
    append_json(out, message.tool_call_id);
  }
  out.push_back('}');
}

std::string make_body(const model_prompt& prompt) {
  const auto& model = prompt.model;
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model.model.empty() ? model.name : model.model);
  append_raw(out, R"(,"messages":[)");
  for (size_t i = 0; i < prompt.history.size(); ++i) {
    if (i > 0)
      out.push_back(',');
    append_message(out, prompt.history[i]);
  }
  out.push_back(']');
  if (!prompt.tools.empty() && prompt.tools != "[]") {
    append_raw(out, R"(,"tools":)");
    append_raw(out, prompt.tools);
  }
  if (prompt.max_tokens > 0) {
    append_raw(out, R"(,"max_tokens":)");
    append_json(out, prompt.max_tokens);
  }
  append_raw(out, model.streaming ? R"(,"stream":true,"stream_options":{"include_usage":true}})"
                                  : R"(,"stream":false})");
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
  request.fields.push_back({"accept", model.streaming ? "text/event-stream" : "application/json"});
  if (!model.api_key.empty())
    request.fields.push_back({"authorization", "Bearer " + model.api_key});
  request.body = make_body(prompt);
  request.proxy = model.proxy;
  request.deadlines = model.deadlines;
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
    append_raw(out, "}}");
  }
  out.push_back(']');
  return std::string{view(out)};
}

std::unique_ptr<model_decoder> make_decoder(std::string id_prefix) {
  return std::make_unique<openai_chat_decoder>(std::move(id_prefix));
}

} // namespace

const provider openai_chat{"openai", make_request, render_tools, make_decoder};

} // namespace troupe

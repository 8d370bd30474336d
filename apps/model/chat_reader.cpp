#include "apps/model/chat_reader.hpp"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <simdjson.h>

#include "apps/model/history_check.hpp"
#include "apps/model/schema_sample.hpp"
#include "apps/model/tools_check.hpp"

namespace troupe::scripted {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// Returns the member, or nothing where it is absent or null; the API takes both for the same.
bool find(object in, std::string_view key, element& out) {
  return in[key].get(out) == simdjson::SUCCESS && !out.is_null();
}

failure read_bool(object in, std::string_view key, bool& out) {
  element value;
  if (find(in, key, value) && value.get(out) != simdjson::SUCCESS)
    return invalid_request(fmt::format("{} must be true or false", key));
  return {};
}

failure read_options(object root, chat_call& out) {
  out = {};
  std::string_view model;
  if (root["model"].get(model) != simdjson::SUCCESS || model.empty())
    return invalid_request("model must be a string");
  out.model = model;
  if (auto bad = read_bool(root, "stream", out.stream))
    return bad;
  element value;
  if (!find(root, "stream_options", value))
    return {};
  object options;
  if (value.get(options) != simdjson::SUCCESS)
    return invalid_request("stream_options must be an object");
  if (!out.stream)
    return invalid_request("stream_options is only allowed when stream is true");
  return read_bool(options, "include_usage", out.include_usage);
}

/// Returns the text of a message, the text parts joined.
std::string text_of(object message) {
  std::string_view text;
  if (message["content"].get(text) == simdjson::SUCCESS)
    return std::string{text};
  std::string joined;
  array parts;
  if (message["content"].get(parts) == simdjson::SUCCESS)
    for (element part : parts)
      if (part["text"].get(text) == simdjson::SUCCESS)
        joined += text;
  return joined;
}

using call_names = std::unordered_map<std::string_view, std::string_view>;

void add_calls(object message, call_names& names, conversation& out) {
  array calls;
  if (message["tool_calls"].get(calls) != simdjson::SUCCESS)
    return;
  ++out.rounds;
  for (element call : calls) {
    std::string_view id;
    std::string_view name;
    if (call["id"].get(id) == simdjson::SUCCESS &&
        call["function"]["name"].get(name) == simdjson::SUCCESS)
      names[id] = name;
    ++out.calls;
  }
}

void add_message(object message, call_names& names, conversation& out) {
  std::string_view who;
  if (message["role"].get(who) != simdjson::SUCCESS)
    return;
  if (who == "user") {
    out.user_text = text_of(message);
    out.results.clear();
    out.rounds = 0;
  } else if (who == "assistant") {
    add_calls(message, names, out);
  } else if (who == "tool") {
    std::string_view id;
    if (message["tool_call_id"].get(id) == simdjson::SUCCESS)
      out.results.push_back({std::string{names[id]}, text_of(message)});
  }
}

} // namespace

struct chat_reader::impl {
  simdjson::dom::parser parser;
  object root;
  array messages;
  array tools;
  bool has_tools = false;
  bool is_json = false;

  failure read_lists();
};

failure chat_reader::impl::read_lists() {
  if (root["messages"].get(messages) != simdjson::SUCCESS)
    return invalid_request("messages must be an array");
  if (auto bad = check_history(messages))
    return bad;
  element value;
  has_tools = find(root, "tools", value);
  if (!has_tools)
    return {};
  if (value.get(tools) != simdjson::SUCCESS)
    return invalid_request("tools must be an array");
  return check_tools(tools);
}

chat_reader::chat_reader() : impl_{std::make_unique<impl>()} {}

chat_reader::~chat_reader() = default;

failure chat_reader::read(std::string& body, chat_call& out) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING); // spares the parser a copy
  element root;
  const auto wrong = impl_->parser.parse(body.data(), body.size(), false).get(root);
  impl_->is_json = wrong == simdjson::SUCCESS;
  if (!impl_->is_json)
    return invalid_request(
        fmt::format("the body is not valid JSON: {}", simdjson::error_message(wrong)));
  if (root.get(impl_->root) != simdjson::SUCCESS)
    return invalid_request("the body must be a JSON object");
  if (auto bad = read_options(impl_->root, out))
    return bad;
  return impl_->read_lists();
}

bool chat_reader::is_json() const noexcept {
  return impl_->is_json;
}

conversation chat_reader::talk() const {
  conversation out;
  call_names names;
  for (element each : impl_->messages) {
    object message;
    if (each.get(message) == simdjson::SUCCESS)
      add_message(message, names, out);
  }
  if (!impl_->has_tools)
    return out;
  for (element each : impl_->tools) {
    std::string_view name;
    element schema;
    offered_tool tool;
    if (each["function"]["name"].get(name) == simdjson::SUCCESS)
      tool.name = name;
    if (each["function"]["parameters"].get(schema) == simdjson::SUCCESS)
      tool.parameters = parameters_of(schema);
    out.tools.push_back(std::move(tool));
  }
  return out;
}

} // namespace troupe::scripted

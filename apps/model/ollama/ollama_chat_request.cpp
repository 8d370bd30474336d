#include "apps/model/ollama/ollama_chat_request.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"

namespace troupe::scripted {

namespace {

failure only(object fields, const std::string& place,
             std::initializer_list<std::string_view> known) {
  const auto other = unknown_key(fields, known);
  return other.empty()
             ? failure{}
             : invalid_request(fmt::format("{}{} is unknown, and would be ignored", place, other));
}

failure cannot_unmarshal(std::string_view field, std::string_view type) {
  return invalid_request(fmt::format("json: cannot unmarshal into Go struct field ChatRequest.{} "
                                     "of type {}",
                                     field, type));
}

/// The walk over one history; the views point into the parsed request.
class ollama_walk {
public:
  failure message(element what);
  failure end() const {
    return open_.empty() ? failure{} : invalid_request("messages: the last call has no result");
  }

private:
  failure call(element what, const std::string& place);
  failure answer(object fields, const std::string& place);
  failure result(object fields, const std::string& place);
  failure images(object fields, const std::string& place) const;

  size_t index_ = 0;
  std::vector<std::pair<std::string_view, std::string_view>> open_; // id and name of calls
};

failure ollama_walk::call(element what, const std::string& place) {
  object fields;
  object function;
  element arguments;
  if (what.get(fields) != simdjson::SUCCESS ||
      fields["function"].get(function) != simdjson::SUCCESS)
    return cannot_unmarshal("messages.tool_calls", "api.ToolCall");
  if (auto bad = only(fields, place, {"id", "type", "function"}))
    return bad;
  if (auto bad = only(function, place, {"index", "name", "arguments"}))
    return bad;
  if (function["arguments"].get(arguments) != simdjson::SUCCESS || !arguments.is_object())
    return cannot_unmarshal("messages.tool_calls.function.arguments",
                            "api.ToolCallFunctionArguments");
  open_.emplace_back(string_in(fields, "id"), string_in(function, "name"));
  return open_.back().second.empty() ? invalid_request(place + "name is missing") : failure{};
}

failure ollama_walk::answer(object fields, const std::string& place) {
  if (auto bad = only(fields, place, {"role", "content", "thinking", "tool_calls", "images"}))
    return bad;
  element calls;
  array list;
  if (!find(fields, "tool_calls", calls))
    return is_blank(string_in(fields, "content")) ? invalid_request(place + "content is empty")
                                                  : failure{};
  if (calls.get(list) != simdjson::SUCCESS)
    return cannot_unmarshal("messages.tool_calls", "[]api.ToolCall");
  for (element each : list)
    if (auto bad = call(each, place))
      return bad;
  return {};
}

/// A result without an id belongs to the first open call.
failure ollama_walk::result(object fields, const std::string& place) {
  if (auto bad =
          only(fields, place, {"role", "content", "images", "tool_name", "tool_call_id", "name"}))
    return bad;
  const auto id = string_in(fields, "tool_call_id");
  auto found = open_.begin();
  while (found != open_.end() && !id.empty() && found->first != id)
    ++found;
  if (found == open_.end())
    return invalid_request(place + "a result answers no open call");
  const auto name = string_in(fields, "tool_name");
  if (!name.empty() && name != found->second)
    return invalid_request(
        fmt::format("{}tool_name is '{}', and the call was of '{}'", place, name, found->second));
  open_.erase(found);
  return images(fields, place);
}

failure ollama_walk::images(object fields, const std::string& place) const {
  element images;
  array list;
  if (!find(fields, "images", images))
    return {};
  if (images.get(list) != simdjson::SUCCESS)
    return cannot_unmarshal("messages.images", "[]api.ImageData");
  for (element each : list) {
    std::string_view data;
    if (each.get(data) != simdjson::SUCCESS || !is_base64(data))
      return invalid_request(place + "images: illegal base64 data at input byte 0");
  }
  return {};
}

failure ollama_walk::message(element what) {
  object fields;
  element content;
  if (what.get(fields) != simdjson::SUCCESS)
    return cannot_unmarshal("messages", "api.Message");
  const auto place = fmt::format("messages[{}].", index_++);
  const auto role = string_in(fields, "role");
  if (!is_one_of(role, {"system", "user", "assistant", "tool"}))
    return invalid_request(fmt::format("invalid role: {}, must be one of [system user assistant "
                                       "tool]",
                                       role));
  if (find(fields, "content", content) && !content.is_string())
    return cannot_unmarshal("messages.content", "string");
  if (role == "tool")
    return result(fields, place);
  if (!open_.empty())
    return invalid_request(place + " a call before it has no result");
  if (role == "assistant")
    return answer(fields, place);
  if (auto bad = only(fields, place, {"role", "content", "images"}))
    return bad;
  if (is_blank(string_in(fields, "content")) && !find(fields, "images", content))
    return invalid_request(place + "content is empty");
  return images(fields, place);
}

failure check_ollama_tools(object request) {
  element tools;
  array list;
  if (!find(request, "tools", tools))
    return {};
  if (tools.get(list) != simdjson::SUCCESS)
    return cannot_unmarshal("tools", "api.Tools");
  for (element each : list) {
    object function;
    element schema;
    if (each["function"].get(function) != simdjson::SUCCESS)
      return cannot_unmarshal("tools.function", "api.ToolFunction");
    if (string_in(function, "name").empty())
      return invalid_request("tools: a name is missing");
    if (!find(function, "parameters", schema))
      continue;
    if (const auto fault = schema_fault(schema, false); !fault.empty())
      return invalid_request(fmt::format("tools: {}: {}", string_in(function, "name"), fault));
  }
  return {};
}

failure check_ollama_options(object request) {
  element found;
  object options;
  array words;
  if (find(request, "think", found) && !found.is_bool()) {
    std::string_view level;
    if (found.get(level) != simdjson::SUCCESS ||
        !is_one_of(level, {"low", "medium", "high", "max"}))
      return invalid_request("invalid think value (must be \"high\", \"medium\", \"low\", true, or "
                             "false)");
  }
  if (find(request, "format", found) && !found.is_object() &&
      string_in(request, "format") != "json")
    return invalid_request("invalid format; expected \"json\" or a valid JSON Schema object");
  if (!find(request, "options", found))
    return {};
  if (found.get(options) != simdjson::SUCCESS)
    return cannot_unmarshal("options", "map[string]interface {}");
  if (find(options, "stop", found) && found.get(words) != simdjson::SUCCESS)
    return invalid_request("option \"stop\" must be of type array");
  for (auto [key, value] : options)
    if (key != "stop" && !value.is_number() && !value.is_bool())
      return invalid_request(fmt::format("option \"{}\" must be of type number", key));
  return {};
}

/// A result names its tool, or at least the call.
void add_ollama_message(object message, talk_collector& out) {
  const auto role = string_in(message, "role");
  std::string content{string_in(message, "content")};
  const auto name = string_in(message, "tool_name");
  array calls;
  out.begin_answer();
  if (role == "user")
    out.user(std::move(content));
  else if (role == "tool" && name.empty())
    out.result(string_in(message, "tool_call_id"), std::move(content));
  else if (role == "tool")
    out.named_result(name, std::move(content));
  else if (role == "assistant" && message["tool_calls"].get(calls) == simdjson::SUCCESS)
    for (object call : calls) {
      object function;
      if (call["function"].get(function) == simdjson::SUCCESS)
        out.call(string_in(call, "id"), string_in(function, "name"));
    }
}

} // namespace

failure check_ollama(object request, chat_call& out) {
  out = {};
  out.stream = true; // unless it is refused
  if (auto bad = only(request, "",
                      {"model", "messages", "stream", "tools", "format", "think", "options",
                       "keep_alive", "truncate", "shift", "logprobs", "top_logprobs",
                       "tool_choice"})) // the AI SDK's provider sends it: it is ignored
    return bad;
  out.model = string_in(request, "model");
  if (out.model.empty())
    return invalid_request("model is required");
  if (auto bad = read_bool(request, "stream", out.stream))
    return bad;
  array messages;
  if (request["messages"].get(messages) != simdjson::SUCCESS || messages.size() == 0)
    return invalid_request("messages must be a list that is not empty");
  ollama_walk walk;
  for (element each : messages)
    if (auto bad = walk.message(each))
      return bad;
  if (auto bad = walk.end())
    return bad;
  if (auto bad = check_ollama_options(request))
    return bad;
  return check_ollama_tools(request);
}

conversation talk_of_ollama(object request) {
  talk_collector out;
  array messages;
  if (request["messages"].get(messages) == simdjson::SUCCESS)
    for (object message : messages)
      add_ollama_message(message, out);
  out.tools(request, "function", "parameters");
  return std::move(out.talk());
}

} // namespace troupe::scripted

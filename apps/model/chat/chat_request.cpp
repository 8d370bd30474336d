#include "apps/model/chat/chat_request.hpp"

#include <string_view>
#include <utility>

#include "apps/model/chat/chat_history_check.hpp"
#include "apps/model/chat/chat_tools_check.hpp"
#include "apps/model/dialect/request_fields.hpp"

namespace troupe::scripted {

namespace {

failure read_chat_options(object root, chat_call& out) {
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

std::string text_of_message(object message) {
  element content;
  return message["content"].get(content) == simdjson::SUCCESS ? joined_text(content)
                                                              : std::string{};
}

void add_message(object message, talk_collector& out) {
  const auto who = string_in(message, "role");
  if (who == "user") {
    out.user(text_of_message(message));
  } else if (who == "assistant") {
    out.begin_answer();
    array calls;
    if (message["tool_calls"].get(calls) != simdjson::SUCCESS)
      return;
    for (object call : calls) {
      object function;
      if (call["function"].get(function) == simdjson::SUCCESS)
        out.call(string_in(call, "id"), string_in(function, "name"));
    }
  } else if (who == "tool") {
    out.result(string_in(message, "tool_call_id"), text_of_message(message));
  }
}

} // namespace

failure check_chat(object request, chat_call& out) {
  if (auto bad = read_chat_options(request, out))
    return bad;
  array messages;
  if (request["messages"].get(messages) != simdjson::SUCCESS)
    return invalid_request("messages must be an array");
  if (auto bad = check_history(messages))
    return bad;
  element value;
  if (!find(request, "tools", value))
    return {};
  array tools;
  if (value.get(tools) != simdjson::SUCCESS)
    return invalid_request("tools must be an array");
  return check_chat_tools(tools);
}

conversation talk_of_chat(object request) {
  talk_collector out;
  array messages;
  if (request["messages"].get(messages) == simdjson::SUCCESS)
    for (object each : messages)
      add_message(each, out);
  out.tools(request, "function", "parameters");
  return std::move(out.talk());
}

} // namespace troupe::scripted

#include "apps/model/chat/chat_dialect.hpp"

#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "apps/model/chat/chat_error.hpp"
#include "apps/model/chat/chat_history_check.hpp"
#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"
#include "apps/model/script/tokens.hpp"
#include "messages/errors.hpp"
#include "messages/json_object.hpp"

namespace troupe::scripted {

// -- chat request ---------------------------------------------------------------------------------

namespace {

/// dialect::check and dialect::talk.
failure check_chat(simdjson::dom::object request, chat_call& out);

conversation talk_of_chat(simdjson::dom::object request);

// -- chat tools check -----------------------------------------------------------------------------

/// Checks `tools` of a request: not empty, every one is a function with a name of 1 to 64
/// characters of [A-Za-z0-9_-], no name twice, each schema as schema_fault() demands it, with
/// `properties`. Fails with errc::request_invalid, naming the tool. Any thread.
failure check_chat_tools(simdjson::dom::array tools);

failure chat_tool_fault(element each, size_t index, std::vector<std::string_view>& names) {
  object fields;
  object function;
  std::string_view name;
  if (each.get(fields) != simdjson::SUCCESS || string_in(fields, "type") != "function" ||
      fields["function"].get(function) != simdjson::SUCCESS)
    return invalid_request(fmt::format("tools[{}] must be of type 'function'", index));
  if (!get_string(function, "name", name) || !fits_name(name))
    return invalid_request(
        fmt::format("tools[{}].function.name must be 1 to 64 of [A-Za-z0-9_-]", index));
  names.push_back(name);
  element schema;
  if (function["parameters"].get(schema) != simdjson::SUCCESS)
    return {};
  if (!schema.is_object())
    return invalid_request(fmt::format("tools[{}].function.parameters must be an object", index));
  if (const auto fault = schema_fault(schema, true); !fault.empty())
    return invalid_request(
        fmt::format("tools[{}]: invalid schema for function '{}': {}", index, name, fault));
  return {};
}

failure check_chat_tools(array tools) {
  std::vector<std::string_view> names;
  size_t index = 0;
  for (element each : tools)
    if (auto bad = chat_tool_fault(each, index++, names))
      return bad;
  if (names.empty())
    return invalid_request("tools must not be empty");
  if (const auto twice = repeated_name(std::move(names)); !twice.empty())
    return invalid_request(fmt::format("tools: the name '{}' is used twice", twice));
  return {};
}

// -- chat request ---------------------------------------------------------------------------------

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

// -- chat completion ------------------------------------------------------------------------------

void append_call(json_buffer& out, const tool_call& call) {
  json_object{out}
      .member("id", call.id)
      .member("type", "function")
      .object("function")
      .member("name", call.name)
      .member("arguments", call.arguments);
}

void append_message(json_buffer& out, const answer& what) {
  json_object all{out};
  all.member("role", "assistant");
  if (what.text.empty() && !what.calls.empty())
    all.raw("content", "null");
  else
    all.member("content", text_of(what));
  all.raw("refusal", "null").given("reasoning_content", what.reasoning);
  if (!what.calls.empty())
    all.array("tool_calls").each(what.calls, append_call);
}

} // namespace

void append_completion_head(json_buffer& out, std::string_view object, std::string_view model) {
  append_raw(out, R"({"id":"chatcmpl-troupe","object":")");
  append_raw(out, object);
  append_raw(out, R"(","created":1735689600,"model":)");
  append_json(out, model);
  append_raw(out, R"(,"system_fingerprint":"fp_troupe")");
}

void append_usage_counts(json_buffer& out, const answer& what, size_t tokens) {
  constexpr size_t prompt = 10;
  fmt::format_to(std::back_inserter(out),
                 R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},)"
                 R"("prompt_tokens_details":{{"cached_tokens":0}},)"
                 R"("completion_tokens_details":{{"reasoning_tokens":{}}}}})",
                 prompt, tokens, prompt + tokens, count_tokens(what.reasoning));
}

std::string_view finish_of_chat(const answer& what) {
  return what.finish == "pause" ? std::string_view{"stop"} : what.finish;
}

std::string completion_body(const answer& what, const chat_call& call) {
  json_buffer out;
  append_completion_head(out, "chat.completion", call.model);
  append_raw(out, R"(,"choices":[{"index":0,"message":)");
  append_message(out, what);
  append_raw(out, R"(,"logprobs":null,"finish_reason":)");
  append_json(out, finish_of_chat(what));
  append_raw(out, R"(}],"usage":)");
  append_usage_counts(out, what, tokens_of(what));
  out.push_back('}');
  return std::string{view(out)};
}

// -- chat frames ----------------------------------------------------------------------------------

namespace {

constexpr std::string_view end_of_delta = R"(,"logprobs":null,"finish_reason":null}]})"
                                          "\n\n";
constexpr std::string_view null_usage = R"(,"usage":null)";

std::string make_prefix(const chat_call& call) {
  json_buffer out;
  append_raw(out, "data: ");
  append_completion_head(out, "chat.completion.chunk", call.model);
  if (call.include_usage)
    append_raw(out, null_usage);
  return std::string{view(out)};
}

class chat_writer final : public frame_writer {
public:
  chat_writer(const answer& what, const chat_call& call)
      : what_{what}, prefix_{make_prefix(call)}, include_usage_{call.include_usage} {}

  void begin(json_buffer& out) override {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":)");
    append_raw(out, what_.text.empty() && !what_.calls.empty() ? "null" : R"("")");
    append_raw(out, R"(,"refusal":null})");
    append_raw(out, end_of_delta);
  }

  void reasoning(json_buffer& out, std::string_view token) override {
    append_delta(out, "reasoning_content", token);
  }

  void text(json_buffer& out, std::string_view token) override {
    append_delta(out, "content", token);
  }

  void call(json_buffer& out, size_t index) override {
    const auto& call = what_.calls[index];
    begin_call(out, index);
    append_raw(out, R"(,"id":)");
    append_json(out, call.id);
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, call.name);
    append_raw(out, R"(,"arguments":""}}]})");
    append_raw(out, end_of_delta);
  }

  void arguments(json_buffer& out, size_t index, std::string_view token) override {
    begin_call(out, index);
    append_raw(out, R"(,"function":{"arguments":)");
    append_json(out, token);
    append_raw(out, "}}]}");
    append_raw(out, end_of_delta);
  }

  void end(json_buffer& out, size_t tokens) override {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":)");
    append_json(out, finish_of_chat(what_));
    append_raw(out, "}]}\n\n");
    if (include_usage_) {
      append_raw(out, std::string_view{prefix_}.substr(0, prefix_.size() - null_usage.size()));
      append_raw(out, R"(,"choices":[],"usage":)");
      append_usage_counts(out, what_, tokens);
      append_raw(out, "}\n\n");
    }
    append_raw(out, "data: [DONE]\n\n");
  }

  void fail(json_buffer& out, const refusal& why) override {
    append_raw(out, R"(data: {"error":)");
    append_openai_error(out, openai_error_of(why));
    append_raw(out, "}\n\n");
  }

private:
  void append_delta(json_buffer& out, std::string_view name, std::string_view text) {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{")");
    append_raw(out, name);
    append_raw(out, R"(":)");
    append_json(out, text);
    out.push_back('}');
    append_raw(out, end_of_delta);
  }

  void begin_call(json_buffer& out, size_t index) {
    append_raw(out, prefix_);
    fmt::format_to(std::back_inserter(out),
                   R"(,"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{})", index);
  }

  const answer& what_;
  const std::string prefix_; // of every frame, up to its choice
  const bool include_usage_;
};

/// dialect::frames: role, one event per token, finish_reason, usage if it was asked for, [DONE].
std::unique_ptr<frame_writer> chat_frames(const answer& what, const chat_call& call) {
  return std::make_unique<chat_writer>(what, call);
}

} // namespace

// -- chat dialect ---------------------------------------------------------------------------------

const dialect chat_dialect{
    .check = check_chat,
    .talk = talk_of_chat,
    .frames = chat_frames,
    .whole = completion_body,
    .refuse = refuse_chat,
    .stream_type = "text/event-stream; charset=utf-8",
};

} // namespace troupe::scripted

#include "messages/wire/openai_chat/openai_messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_user_content.hpp"
#include "messages/wire/provider/history_order.hpp"
#include "messages/wire/provider/model_file.hpp"
#include "messages/wire/provider/request_history.hpp"

namespace troupe {

namespace {

/// Namespaces of metadata that other vendors' APIs use for sealed reasoning (names of the AI SDK).
/// They are sent back to those APIs only. All other namespaces came as `extra_content` of a
/// chat-completions server.
constexpr std::array<std::string_view, 3> sealed_by_others{"anthropic", "bedrock", "amazonBedrock"};

bool is_sealed_by_others(std::string_view key) {
  return std::ranges::find(sealed_by_others, key) != sealed_by_others.end();
}

/// Appends the members of `metadata` that may go out as `extra_content`, if there are any.
/// @param own a namespace that does not go out in this way; "" = none
void append_extra_content(json_buffer& out, std::string_view metadata, std::string_view own) {
  json_source source{metadata};
  std::string extra;
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (key != own && !is_sealed_by_others(key))
      extra.append(extra.empty() ? "" : ",").append(to_json(key)).append(":").append(value);
    return true;
  });
  if (extra.empty())
    return;
  append_raw(out, R"(,"extra_content":{)");
  append_raw(out, extra);
  out.push_back('}');
}

void append_calls(json_buffer& out, const std::vector<tool_call>& calls) {
  append_raw(out, R"(,"tool_calls":[)");
  for (size_t i = 0; i < calls.size(); ++i) {
    append_raw(out, i == 0 ? R"({"id":)" : R"(,{"id":)");
    append_json(out, calls[i].id);
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, calls[i].name);
    append_raw(out, R"(,"arguments":)");
    append_json(out, calls[i].arguments.empty() ? std::string_view{"{}"} : calls[i].arguments);
    out.push_back('}');
    if (!calls[i].provider_metadata.empty() && is_json_object(calls[i].provider_metadata))
      append_extra_content(out, calls[i].provider_metadata, "");
    out.push_back('}');
  }
  out.push_back(']');
}

/// Appends a JSON string: a tool's result, and its files that are not sent as images.
void append_result(json_buffer& out, const chat_message& message, bool images) {
  out.push_back('"');
  append_escaped(out, message.text);
  for (const auto& each : message.files) {
    model_file seen;
    read_file(each, images, seen);
    if (seen.is_image)
      continue;
    append_raw(out, "\\n");
    append_escaped(out, seen.text);
  }
  out.push_back('"');
}

/// Appends a JSON string: an answer's text, and notes for its files.
void append_answer(json_buffer& out, const chat_message& message) {
  out.push_back('"');
  append_escaped(out, message.text);
  bool begun = !message.text.empty();
  for (const auto& each : message.files)
    append_escaped(out, (std::exchange(begun, true) ? "\n" : "") + file_note(each));
  out.push_back('"');
}

void append_content(json_buffer& out, const chat_message& message, bool images) {
  if (!message.tool_calls.empty() && message.files.empty() && lacks_text(message.text))
    append_raw(out, "null");
  else if (message.who == role::assistant)
    append_answer(out, message);
  else if (message.who == role::tool)
    append_result(out, message, images);
  else if (message.files.empty() && message.extras.empty())
    append_json(out, message.text);
  else
    append_user_content(out, message, images);
}

void append_reasoning(json_buffer& out, const chat_message& message, reasoning_policy policy,
                      bool is_recent) {
  bool keeps = policy == reasoning_policy::keep && is_recent && !message.reasoning.empty();
  if (!keeps && policy != reasoning_policy::empty)
    return;
  append_raw(out, R"(,"reasoning_content":)");
  append_json(out, keeps ? std::string_view{message.reasoning} : std::string_view{});
}

/// Appends the metadata of openai_metadata, in the members where it came from.
void append_metadata(json_buffer& out, std::string_view metadata, reasoning_policy policy) {
  json_source source{metadata};
  std::string_view own, details;
  read_members(source.root(), {{"openai", &own}});
  read_members(own, {{"reasoning_details", &details}});
  if (kind_of(details) == json_kind::array && policy != reasoning_policy::strip) {
    append_raw(out, R"(,"reasoning_details":)");
    append_raw(out, details);
  }
  append_extra_content(out, metadata, "openai");
}

/// @param is_recent no user message comes later
void append_message(json_buffer& out, const chat_message& message, const model_config& model,
                    bool is_recent) {
  append_raw(out, R"({"role":)");
  append_json(out, message.who);
  append_raw(out, R"(,"content":)");
  append_content(out, message, model.images);
  if (message.who == role::assistant)
    append_reasoning(out, message, model.reasoning, is_recent);
  if (message.who == role::assistant && !message.provider_metadata.empty())
    append_metadata(out, message.provider_metadata, model.reasoning);
  if (message.who == role::assistant && !message.tool_calls.empty())
    append_calls(out, message.tool_calls);
  if (message.who == role::tool) {
    append_raw(out, R"(,"tool_call_id":)");
    append_json(out, message.tool_call_id);
  }
  out.push_back('}');
}

} // namespace

void append_openai_messages(json_buffer& out, const std::vector<chat_message>& history,
                            const model_config& model, std::string_view system) {
  // As strict as the chat templates of Mistral and Gemma, which other servers do not mind.
  const request_history messages{history,
                                 system,
                                 {.alternates = true,
                                  .answers_results = true,
                                  .ends_with_user = true,
                                  .result_images = !model.images}};
  out.push_back('[');
  if (!messages.system().empty()) {
    append_raw(out, R"({"role":"system","content":)");
    append_json(out, messages.system());
    out.push_back('}');
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i > 0 || !messages.system().empty())
      out.push_back(',');
    append_message(out, messages[i], model, i >= messages.up_to_user());
  }
  out.push_back(']');
}

} // namespace troupe

#include "messages/wire/openai_chat/openai_messages.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/openai_chat/openai_user_content.hpp"

namespace troupe {

namespace {

using messages = std::span<const chat_message>;

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

/// Appends a JSON string: a tool's result, and notes for files that are not sent as images.
void append_result(json_buffer& out, const chat_message& message, bool images) {
  out.push_back('"');
  append_escaped(out, message.text);
  bool begun = !message.text.empty();
  for (const auto& each : message.files) {
    if (images && is_image(each))
      continue;
    append_escaped(out, (begun ? "\n" : "") + file_text(each, images));
    begun = true;
  }
  out.push_back('"');
}

bool has_image(const chat_message& message) {
  return std::any_of(message.files.begin(), message.files.end(), is_image);
}

void append_content(json_buffer& out, const chat_message& message, bool images) {
  if (message.text.empty() && !message.tool_calls.empty())
    append_raw(out, "null");
  else if (message.who == role::assistant)
    append_json(out, message.text);
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
  if (!message.provider_metadata.empty())
    append_metadata(out, message.provider_metadata, model.reasoning);
  if (!message.tool_calls.empty())
    append_calls(out, message.tool_calls);
  if (message.who == role::tool) {
    append_raw(out, R"(,"tool_call_id":)");
    append_json(out, message.tool_call_id);
  }
  out.push_back('}');
}

/// Begins the list, with the system message if there is one; returns whether there is.
bool append_system(json_buffer& out, const std::vector<chat_message>& history,
                   std::string_view text) {
  out.push_back('[');
  if (text.empty() || (!history.empty() && history.front().who == role::system))
    return false;
  append_raw(out, R"({"role":"system","content":)");
  append_json(out, text);
  out.push_back('}');
  return true;
}

/// Appends a message of the user with the images of the results of one round, if there are any.
void append_result_images(json_buffer& out, messages results) {
  if (std::none_of(results.begin(), results.end(), has_image))
    return;
  append_raw(out, R"(,{"role":"user","content":[)");
  bool first = true;
  for (const auto& message : results) {
    if (!has_image(message))
      continue;
    if (!first)
      out.push_back(',');
    first = false;
    append_text_part(out, fmt::format("Images of the result of {}:", message.tool_call_id));
    for (const auto& each : message.files) {
      if (!is_image(each))
        continue;
      out.push_back(',');
      append_image_part(out, each);
    }
  }
  append_raw(out, "]}");
}

} // namespace

void append_openai_messages(json_buffer& out, const std::vector<chat_message>& history,
                            const model_config& model, std::string_view system) {
  auto user = std::find_if(history.rbegin(), history.rend(),
                           [](const chat_message& each) { return each.who == role::user; });
  auto recent = static_cast<size_t>(history.rend() - user); // index behind the last user message
  size_t results = 0; ///< number of results at the end of the output
  auto begun = append_system(out, history, system);
  for (size_t i = 0; i < history.size(); ++i) {
    if (begun || i > 0)
      out.push_back(',');
    append_message(out, history[i], model, i >= recent);
    results = history[i].who == role::tool ? results + 1 : 0;
    bool round_over = i + 1 == history.size() || history[i + 1].who != role::tool;
    if (model.images && results > 0 && round_over)
      append_result_images(out, messages{history}.subspan(i + 1 - results, results));
  }
  out.push_back(']');
}

} // namespace troupe

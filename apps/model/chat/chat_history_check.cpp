#include "apps/model/chat/chat_history_check.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

namespace {

/// The walk over one history; the views point into the parsed request.
struct history_walk {
  size_t index = 0;
  std::string_view last;                    // role of the message before; "" = none
  std::vector<std::string_view> open_calls; // asked for, not yet answered
  std::set<std::string_view> ids;           // of all calls

  failure message(object what);
  failure by_role(std::string_view who, object what);
  failure turn_of(std::string_view who) const;
  failure content(object what, bool may_be_absent) const;
  failure part(element what) const;
  failure image(object what) const;
  failure audio(object what) const;
  failure assistant(object what);
  failure tool(object what);
  failure call(object what, size_t position);
  failure settled() const;
  failure end() const;

  failure refused(std::string_view why) const {
    return invalid_request(fmt::format("messages[{}]{}", index, why));
  }
};

failure history_walk::image(object what) const {
  object image;
  std::string_view url;
  if (what["image_url"].get(image) != simdjson::SUCCESS || !get_string(image, "url", url) ||
      !is_readable_image(url))
    return refused(".content has an image that is no PNG, JPEG, GIF or WebP");
  return {};
}

failure history_walk::audio(object what) const {
  object sound;
  std::string_view data;
  if (what["input_audio"].get(sound) != simdjson::SUCCESS || !get_string(sound, "data", data) ||
      !is_base64(data) || !is_one_of(string_in(sound, "format"), {"wav", "mp3"}))
    return refused(".content has an input_audio that is no WAV or MP3 in base64");
  return {};
}

failure history_walk::part(element what) const {
  object fields;
  std::string_view type, text;
  if (what.get(fields) != simdjson::SUCCESS || !get_string(fields, "type", type))
    return refused(".content has a part without a type");
  if (type == "image_url")
    return image(fields);
  if (type == "input_audio")
    return audio(fields);
  if (type == "text" && (!get_string(fields, "text", text) || is_blank(text)))
    return refused(".content has a text without characters");
  return {};
}

failure history_walk::content(object what, bool may_be_absent) const {
  element value;
  if (what["content"].get(value) != simdjson::SUCCESS || value.is_null()) {
    if (may_be_absent)
      return {};
    return refused(".content is missing");
  }
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS)
    return is_blank(text) ? refused(".content is empty") : failure{};
  array parts;
  if (value.get(parts) != simdjson::SUCCESS)
    return refused(".content must be a string or an array");
  if (parts.size() == 0)
    return refused(".content is empty");
  for (element each : parts)
    if (auto bad = part(each))
      return bad;
  return {};
}

failure history_walk::call(object what, size_t position) {
  const auto where = fmt::format("messages[{}].tool_calls[{}]", index, position);
  std::string_view id;
  if (!get_string(what, "id", id) || id.empty())
    return invalid_request(where + ".id is missing");
  std::string_view type;
  if (!get_string(what, "type", type) || type != "function")
    return invalid_request(where + ".type must be 'function'");
  object function;
  std::string_view text;
  if (what["function"].get(function) != simdjson::SUCCESS || !get_string(function, "name", text) ||
      text.empty())
    return invalid_request(where + ".function.name is missing");
  if (!fits_name(text))
    return invalid_request(where + ".function.name must be 1 to 64 of [A-Za-z0-9_-]");
  if (!get_string(function, "arguments", text))
    return invalid_request(where + ".function.arguments must be a string");
  if (!is_json_object(text))
    return invalid_request(where + ".function.arguments must be a JSON object");
  if (!ids.insert(id).second)
    return invalid_request(where + ".id is used twice");
  open_calls.push_back(id);
  return {};
}

failure history_walk::assistant(object what) {
  element calls;
  const bool calls_tools = what["tool_calls"].get(calls) == simdjson::SUCCESS && !calls.is_null();
  if (auto bad = content(what, calls_tools))
    return bad;
  if (!calls_tools)
    return {};
  array list;
  if (calls.get(list) != simdjson::SUCCESS || list.size() == 0)
    return invalid_request(
        fmt::format("messages[{}].tool_calls must be an array, not empty", index));
  size_t position = 0;
  for (element each : list) {
    object fields;
    if (each.get(fields) != simdjson::SUCCESS)
      return invalid_request(fmt::format("messages[{}].tool_calls holds something else", index));
    if (auto bad = call(fields, position++))
      return bad;
  }
  return {};
}

failure history_walk::tool(object what) {
  std::string_view id;
  if (!get_string(what, "tool_call_id", id))
    return invalid_request(fmt::format("messages[{}].tool_call_id is missing", index));
  const auto asked = std::find(open_calls.begin(), open_calls.end(), id);
  if (asked == open_calls.end())
    return invalid_request(
        fmt::format("messages[{}].tool_call_id '{}' answers no open call: a tool "
                    "message must follow the assistant's tool_calls",
                    index, id));
  open_calls.erase(asked);
  return content(what, false);
}

failure history_walk::settled() const {
  if (open_calls.empty())
    return {};
  return invalid_request(
      fmt::format("messages[{}]: the tool call '{}' before it has no tool message that "
                  "answers it",
                  index, open_calls.front()));
}

/// Chat templates as those of Mistral and Gemma raise an exception for any other order.
failure history_walk::turn_of(std::string_view who) const {
  if (who == "system" || who == "developer")
    return index == 0 ? failure{} : refused(": a system message must be the first");
  if (who == "user" && (last == "user" || last == "tool"))
    return refused(fmt::format(": unexpected role 'user' after role '{}': conversation roles must "
                               "alternate user/assistant/user/assistant/...",
                               last));
  if (who == "assistant" && last != "user" && last != "tool")
    return refused(": conversation roles must alternate user/assistant/user/assistant/..., and a "
                   "user begins");
  return {};
}

failure history_walk::by_role(std::string_view who, object what) {
  if (who == "tool")
    return tool(what);
  if (auto bad = settled())
    return bad;
  if (who != "assistant" && who != "user" && who != "system" && who != "developer")
    return refused(fmt::format(".role '{}' is unknown", who));
  if (auto bad = turn_of(who))
    return bad;
  return who == "assistant" ? assistant(what) : content(what, false);
}

failure history_walk::message(object what) {
  std::string_view who;
  if (!get_string(what, "role", who))
    return refused(".role is missing");
  auto bad = by_role(who, what);
  last = who;
  return bad;
}

failure history_walk::end() const {
  if (auto bad = settled())
    return bad;
  if (last == "assistant")
    return invalid_request("the last message must be a user's or a tool's, not an assistant's");
  return {};
}

} // namespace

failure check_history(array messages) {
  history_walk walk;
  for (element each : messages) {
    object fields;
    if (each.get(fields) != simdjson::SUCCESS)
      return invalid_request(fmt::format("messages[{}] must be an object", walk.index));
    if (auto bad = walk.message(fields))
      return bad;
    ++walk.index;
  }
  if (walk.index == 0)
    return invalid_request("messages must not be empty");
  return walk.end();
}

} // namespace troupe::scripted

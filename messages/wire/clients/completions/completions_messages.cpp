#include "messages/wire/clients/completions/completions_messages.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

std::optional<role> role_of(std::string_view slice) {
  auto name = json_string(slice);
  if (name == "developer")
    return role::system;
  for (auto each : {role::system, role::user, role::assistant, role::tool})
    if (to_string(each) == name)
      return each;
  return std::nullopt;
}

/// Returns the media type in a data: URL; "" for other URLs.
std::string media_type_of(std::string_view url) {
  constexpr std::string_view scheme = "data:";
  if (url.substr(0, scheme.size()) != scheme)
    return "image/*";
  url.remove_prefix(scheme.size());
  auto type = url.substr(0, url.find_first_of(";,"));
  return type.empty() ? "image/*" : std::string{type};
}

bool is_url(std::string_view url) {
  return url.substr(0, 5) == "data:" || url.substr(0, 7) == "http://" ||
         url.substr(0, 8) == "https://";
}

failure read_image(std::string_view image, const std::string& place, chat_message& out) {
  std::string_view url, detail;
  read_members(image, {{"url", &url}, {"detail", &detail}});
  auto text = json_string(url);
  if (!is_url(text))
    return invalid_request(place + ".image_url.url must be a data:, http: or https: URL");
  if (!is_nothing(detail) && kind_of(detail) != json_kind::string)
    return invalid_request(place + ".image_url.detail must be a string");
  auto type = media_type_of(text);
  out.files.push_back({std::move(type), std::move(text), {}, json_string(detail)});
  return {};
}

/// @param texts collects the texts of `out`; texts without an image between them are joined
failure read_part(std::string_view part, const std::string& place, chat_message& out,
                  piece_collector& texts) {
  std::string_view type, text, image, refusal;
  if (kind_of(part) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(part,
               {{"type", &type}, {"text", &text}, {"image_url", &image}, {"refusal", &refusal}});
  auto kind = json_string(type);
  if (kind == "text" && kind_of(text) == json_kind::string) {
    texts.text(json_string(text));
    return {};
  }
  if (kind == "refusal" && kind_of(refusal) == json_kind::string) {
    texts.text(json_string(refusal));
    return {};
  }
  if (kind == "image_url" && out.who == role::user)
    return read_image(image, place, out);
  return invalid_request(place + " must be a text, or in a user's message an image_url");
}

failure read_content(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (is_nothing(content) && out.who == role::assistant)
    return {};
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of parts");
  failure bad;
  size_t index = 0;
  piece_collector texts{out.text, out.files};
  for_each_element(content, [&](std::string_view part) {
    bad = read_part(part, fmt::format("{}[{}]", place, index++), out, texts);
    return !bad;
  });
  texts.end();
  return bad;
}

failure read_call(std::string_view call, const std::string& place, chat_message& out) {
  std::string_view id, function, name, arguments, extra;
  if (kind_of(call) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(call, {{"id", &id}, {"function", &function}, {"extra_content", &extra}});
  if (kind_of(function) == json_kind::object)
    read_members(function, {{"name", &name}, {"arguments", &arguments}});
  tool_call made{json_string(id), json_string(name), json_string(arguments)};
  if (made.id.empty() || made.name.empty())
    return invalid_request(place + " must have an id and function.name");
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  if (!is_json_object(made.arguments))
    made.arguments = "{}"; // the model wrote invalid arguments; the call's result tells it
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure read_calls(std::string_view calls, const std::string& place, chat_message& out) {
  if (is_nothing(calls))
    return {};
  if (kind_of(calls) != json_kind::array || out.who != role::assistant)
    return invalid_request(place + " must be an array, and is for assistants");
  failure bad;
  for_each_element(calls, [&](std::string_view call) {
    auto count = out.tool_calls.size();
    bad = count == max_message_calls ? invalid_request(place + " must not be more than 1024")
                                     : read_call(call, fmt::format("{}[{}]", place, count), out);
    return !bad;
  });
  return bad;
}

failure read_message(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view who, content, refusal, reasoning, calls, call_id;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(text, {{"role", &who},
                      {"content", &content},
                      {"refusal", &refusal},
                      {"reasoning_content", &reasoning},
                      {"tool_calls", &calls},
                      {"tool_call_id", &call_id}});
  auto known = role_of(who);
  if (!known)
    return invalid_request(place + ".role must be system, developer, user, assistant or tool");
  out.who = *known;
  out.reasoning = json_string(reasoning);
  out.tool_call_id = json_string(call_id);
  if (out.who == role::tool && out.tool_call_id.empty())
    return invalid_request(place + ".tool_call_id must be a string that is not empty");
  if (auto bad = read_calls(calls, place + ".tool_calls", out))
    return bad;
  const auto refused = out.who == role::assistant && is_nothing(content);
  return read_content(refused ? refusal : content, place + ".content", out);
}

} // namespace

failure read_completions_messages(std::string_view array, std::vector<chat_message>& out) {
  auto bad = read_message_list(array, out, read_message);
  return bad || !out.empty() ? bad : invalid_request("messages must not be empty");
}

} // namespace troupe

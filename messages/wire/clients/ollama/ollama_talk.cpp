#include "messages/wire/clients/ollama/ollama_talk.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/sent_files.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns the type of an image by its first bytes, in base64; "" for one that no model takes.
std::string_view image_type(std::string_view base64) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{{
      {"iVBORw0KGgo", "image/png"},
      {"/9j/", "image/jpeg"},
      {"R0lGOD", "image/gif"},
      {"UklGR", "image/webp"},
  }};
  for (const auto& [begin, type] : known)
    if (base64.starts_with(begin))
      return type;
  return {};
}

failure add_base64_image(std::string data, const std::string& place, chat_message& out) {
  if (data.starts_with("data:"))
    return add_image(std::move(data), {}, place, out);
  const auto type = image_type(data);
  if (type.empty() || !is_strict_base64(data))
    return invalid_request(place + " must be a PNG, JPEG, GIF or WebP in base64");
  return add_image(fmt::format("data:{};base64,{}", type, data), {}, place, out);
}

/// The members of one message.
struct talk_members {
  std::string_view who;
  std::string_view content;
  std::string_view thinking;
  std::string_view images;
  std::string_view calls;
  std::string_view call_id;
  std::string_view tool_name;
  std::string_view name; ///< of the tool, as older clients say it
};

/// The walk over one history.
class talk_reader {
public:
  failure message(std::string_view text, const std::string& place, chat_message& out);

private:
  failure calls(std::string_view list, const std::string& place, chat_message& out);
  failure call(std::string_view text, const std::string& place, chat_message& out);
  failure result(const talk_members& in, const std::string& place, chat_message& out);

  size_t made_ids_ = 0;
  std::vector<std::pair<std::string, std::string>> open_; ///< id and name of calls without a result
};

failure talk_reader::message(std::string_view text, const std::string& place, chat_message& out) {
  talk_members in;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(text, {{"role", &in.who},
                      {"content", &in.content},
                      {"thinking", &in.thinking},
                      {"images", &in.images},
                      {"tool_calls", &in.calls},
                      {"tool_call_id", &in.call_id},
                      {"tool_name", &in.tool_name},
                      {"name", &in.name}});
  const auto who = named_role(in.who);
  if (!who)
    return invalid_request(place + ".role must be system, user, assistant or tool");
  if (!is_nothing(in.content) && kind_of(in.content) != json_kind::string)
    return invalid_request(place + ".content must be a string");
  out.who = *who;
  out.text = json_string(in.content);
  if (out.who == role::assistant) {
    out.reasoning = json_string(in.thinking);
    return calls(in.calls, place + ".tool_calls", out);
  }
  if (out.who == role::tool)
    if (auto bad = result(in, place, out))
      return bad;
  return out.who == role::system ? failure{} : add_ollama_images(in.images, place + ".images", out);
}

failure talk_reader::calls(std::string_view list, const std::string& place, chat_message& out) {
  if (is_nothing(list))
    return {};
  open_.clear();
  return read_list(
      list, place, max_message_calls,
      [&](std::string_view text, const std::string& at) { return call(text, at, out); });
}

failure talk_reader::call(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view id, function, name, arguments, extra;
  if (kind_of(text) == json_kind::object)
    read_members(text, {{"id", &id}, {"function", &function}, {"extra_content", &extra}});
  if (kind_of(function) == json_kind::object)
    read_members(function, {{"name", &name}, {"arguments", &arguments}});
  tool_call made{json_string(id), json_string(name), std::string{arguments}};
  if (made.name.empty())
    return invalid_request(place + ".function.name must be a string that is not empty");
  if (kind_of(arguments) == json_kind::string) // as OpenAI has it
    made.arguments = json_string(arguments);
  if (!is_json_object(made.arguments))
    made.arguments = "{}"; // the model wrote invalid arguments; the call's result tells it
  if (made.id.empty())
    made.id = fmt::format("call_{}", ++made_ids_);
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  open_.emplace_back(made.id, made.name);
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure talk_reader::result(const talk_members& in, const std::string& place, chat_message& out) {
  out.tool_call_id = json_string(in.call_id);
  const auto tool = json_string(is_nothing(in.tool_name) ? in.name : in.tool_name);
  const auto answered = std::ranges::find_if(open_, [&](const auto& each) {
    return out.tool_call_id.empty() ? each.second == tool : each.first == out.tool_call_id;
  });
  if (answered != open_.end()) {
    out.tool_call_id = answered->first;
    open_.erase(answered);
  } else if (out.tool_call_id.empty()) {
    if (open_.empty())
      return invalid_request(place +
                             " answers no call: an assistant's message with tool_calls must "
                             "stand before it");
    out.tool_call_id = open_.front().first;
    open_.erase(open_.begin());
  }
  return {};
}

} // namespace

failure read_ollama_talk(std::string_view array, std::vector<chat_message>& out) {
  talk_reader reader;
  return read_message_list(
      array, out,
      [&reader](std::string_view text, const std::string& place, chat_message& message) {
        return reader.message(text, place, message);
      });
}

failure add_ollama_images(std::string_view images, const std::string& place, chat_message& out) {
  if (is_nothing(images))
    return {};
  if (kind_of(images) != json_kind::array)
    return invalid_request(place + " must be an array");
  failure bad;
  for_each_element(images, [&](std::string_view each) {
    bad = add_base64_image(json_string(each), fmt::format("{}[{}]", place, out.files.size()), out);
    return !bad;
  });
  return bad;
}

} // namespace troupe

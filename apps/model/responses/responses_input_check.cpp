#include "apps/model/responses/responses_input_check.hpp"

#include <set>
#include <string>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/seal.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t longest_call_id = 64;

/// The walk over the items; the views point into the parsed request.
class input_walk {
public:
  explicit input_walk(bool stores) : stores_{stores} {}

  failure item(element what);
  failure end() const;

private:
  failure by_type(std::string_view type, object what);
  failure message(object what);
  failure part(element what, std::string_view role) const;
  failure call(object what);
  failure add_call(std::string_view id);
  failure output(object what);
  failure reasoning(object what);
  failure reference(object what);
  failure begins_with(object what, std::string_view prefix) const;

  failure only(object what, std::initializer_list<std::string_view> known) const {
    const auto other = unknown_key(what, known);
    return other.empty()
               ? failure{}
               : invalid_request(fmt::format("Unknown parameter: 'input[{}].{}'.", index_, other));
  }

  failure refused(std::string_view why) const {
    return invalid_request(fmt::format("input[{}]: {}", index_, why));
  }

  const bool stores_;
  size_t index_ = 0;
  bool thinks_ = false; ///< a reasoning item waits for what it belongs to
  std::set<std::string_view> open_;
  std::set<std::string_view> ids_;
};

failure input_walk::begins_with(object what, std::string_view prefix) const {
  std::string_view id;
  if (!get_string(what, "id", id) || id.starts_with(prefix))
    return {};
  return invalid_request(fmt::format("Invalid 'input[{}].id': '{}'. Expected an ID that begins "
                                     "with '{}'.",
                                     index_, id, prefix));
}

bool is_readable_sound(object part) {
  object sound;
  return part["input_audio"].get(sound) == simdjson::SUCCESS &&
         is_base64(string_in(sound, "data")) &&
         is_one_of(string_in(sound, "format"), {"wav", "mp3"});
}

failure input_walk::part(element what, std::string_view role) const {
  object fields;
  if (what.get(fields) != simdjson::SUCCESS)
    return refused("a part of the content is no object");
  const auto type = string_in(fields, "type");
  const bool is_answer = role == "assistant";
  if (type == "refusal" && is_answer)
    return {};
  if (type == (is_answer ? "output_text" : "input_text"))
    return is_blank(string_in(fields, "text")) ? refused("a text is empty") : failure{};
  if (type == "input_image" && !is_answer)
    return is_readable_image(string_in(fields, "image_url")) ||
                   !string_in(fields, "file_id").empty()
               ? failure{}
               : refused("image_url must be the URL of a PNG, JPEG, GIF or WebP");
  if (type == "input_file" && !is_answer)
    return string_in(fields, "file_data").starts_with("data:application/pdf;base64,") ||
                   !string_in(fields, "file_id").empty() || !string_in(fields, "file_url").empty()
               ? failure{}
               : refused("file_data must be a data: URL of a PDF");
  if (type == "input_audio" && !is_answer)
    return is_readable_sound(fields) ? failure{}
                                     : refused("input_audio must be a WAV or MP3 in base64");
  return refused(fmt::format("Invalid value: '{}' is no part of a message of this role", type));
}

failure input_walk::message(object what) {
  if (auto bad = only(what, {"type", "role", "content", "id", "status", "phase"}))
    return bad;
  const auto role = string_in(what, "role");
  if (!is_one_of(role, {"user", "assistant", "system", "developer"}))
    return refused("Invalid value of role");
  if (auto bad = begins_with(what, "msg"))
    return bad;
  element content;
  std::string_view text;
  if (!find(what, "content", content))
    return refused("content is missing");
  if (content.get(text) == simdjson::SUCCESS)
    return is_blank(text) ? refused("content is empty") : failure{};
  array parts;
  if (content.get(parts) != simdjson::SUCCESS || parts.size() == 0)
    return refused("content is empty");
  for (element each : parts)
    if (auto bad = part(each, role))
      return bad;
  return {};
}

failure input_walk::add_call(std::string_view id) {
  if (id.empty() || id.size() > longest_call_id)
    return refused("call_id must have 1 to 64 characters");
  if (!ids_.insert(id).second)
    return refused(fmt::format("call_id '{}' is used twice", id));
  open_.insert(id);
  return {};
}

failure input_walk::call(object what) {
  if (auto bad = only(what, {"type", "id", "call_id", "name", "arguments", "status"}))
    return bad;
  if (auto bad = begins_with(what, "fc"))
    return bad;
  if (!fits_name(string_in(what, "name")))
    return refused("name must match ^[a-zA-Z0-9_-]{1,64}$");
  if (!is_json_object(string_in(what, "arguments")))
    return refused("arguments must be the text of a JSON object");
  return add_call(string_in(what, "call_id"));
}

failure input_walk::output(object what) {
  if (auto bad = only(what, {"type", "id", "call_id", "output", "status"}))
    return bad;
  const auto id = string_in(what, "call_id");
  if (open_.erase(id) == 0)
    return invalid_request(
        fmt::format("No tool call found for function call output with call_id {}.", id));
  element content;
  array parts;
  if (!find(what, "output", content))
    return refused("output is missing");
  if (content.is_string())
    return {};
  if (content.get(parts) != simdjson::SUCCESS)
    return refused("output must be a string or a list");
  for (element each : parts)
    if (auto bad = part(each, "user"))
      return bad;
  return {};
}

failure input_walk::reasoning(object what) {
  if (auto bad = only(what, {"type", "id", "summary", "encrypted_content", "content", "status"}))
    return bad;
  if (auto bad = begins_with(what, "rs"))
    return bad;
  array summary;
  if (what["summary"].get(summary) != simdjson::SUCCESS)
    return refused("summary is missing");
  std::string text;
  for (element each : summary) {
    object part;
    if (each.get(part) != simdjson::SUCCESS || string_in(part, "type") != "summary_text")
      return refused("a part of the summary must be of type 'summary_text'");
    text += string_in(part, "text");
  }
  thinks_ = true;
  const auto sealed = string_in(what, "encrypted_content");
  if (sealed.empty() && stores_ && !string_in(what, "id").empty())
    return {};
  if (sealed.empty())
    return invalid_request(fmt::format("Item with id '{}' not found. Items are not persisted when "
                                       "`store` is set to false. Try again with `store` set to "
                                       "true, or remove this item from your input.",
                                       string_in(what, "id")));
  if (sealed != seal_of(text))
    return refused("The encrypted content could not be verified. Reason: Encrypted content could "
                   "not be decrypted or parsed.");
  return {};
}

failure input_walk::reference(object what) {
  const auto id = string_in(what, "id");
  std::string_view call, name;
  if (!stores_)
    return invalid_request(fmt::format("Item with id '{}' not found. Items are not persisted when "
                                       "`store` is set to false.",
                                       id));
  thinks_ = id.starts_with("rs_");
  return split_call_item_id(id, call, name) ? add_call(call) : failure{};
}

failure input_walk::by_type(std::string_view type, object what) {
  if (type == "reasoning")
    return reasoning(what);
  if (type == "item_reference")
    return reference(what);
  const bool is_answer = type == "function_call" || string_in(what, "role") == "assistant";
  if (thinks_ && !is_answer)
    return invalid_request("Item of type 'reasoning' was provided without its required following "
                           "item.");
  thinks_ = false;
  if (type == "function_call")
    return call(what);
  if (type == "function_call_output")
    return output(what);
  if (type == "message")
    return message(what);
  return refused(fmt::format("Invalid value: '{}'.", type));
}

failure input_walk::item(element what) {
  object fields;
  if (what.get(fields) != simdjson::SUCCESS)
    return refused("an item must be an object");
  std::string_view type;
  if (!get_string(fields, "type", type))
    type = "message";
  auto bad = by_type(type, fields);
  ++index_;
  return bad;
}

failure input_walk::end() const {
  if (thinks_)
    return invalid_request("Item of type 'reasoning' was provided without its required following "
                           "item.");
  if (!open_.empty())
    return invalid_request(
        fmt::format("No tool output found for function call {}.", *open_.begin()));
  return index_ == 0 ? invalid_request("input must not be empty") : failure{};
}

} // namespace

failure check_responses_input(array input, bool stores) {
  input_walk walk{stores};
  for (element each : input)
    if (auto bad = walk.item(each))
      return bad;
  return walk.end();
}

bool split_call_item_id(std::string_view id, std::string_view& call, std::string_view& name) {
  constexpr std::string_view prefix = "fc_";
  const auto dot = id.find('.');
  if (!id.starts_with(prefix) || dot == std::string_view::npos)
    return false;
  call = id.substr(prefix.size(), dot - prefix.size());
  name = id.substr(dot + 1);
  return true;
}

} // namespace troupe::scripted

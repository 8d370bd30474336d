// What OpenAI demands of a request's body: its messages are read back for history_rules.hpp.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "messages/wire/json/json_tree.hpp"
#include "tests/support/history_rules.hpp"

namespace troupe::test {

/// Reads one body; throws std::runtime_error at the first thing that OpenAI would refuse.
class request_reader {
public:
  explicit request_reader(std::string_view body) : body_(read_json_tree(body, 1'000'000)) {
    require(body_ && body_->kind == json_kind::object, "the body is no JSON object");
    no_key_twice(*body_);
    const auto* stream = body_->find("stream");
    require((stream != nullptr && stream->is(true)) || body_->find("stream_options") == nullptr,
            "stream_options, but no stream");
    string_of(*body_, "model");
  }

  std::vector<chat_message> messages() const {
    std::vector<chat_message> read;
    for (const auto& each : list_of(*body_, "messages"))
      read.push_back(message(each));
    return read;
  }

private:
  static void require(bool holds, const std::string& what) {
    if (!holds)
      throw std::runtime_error(what);
  }

  static void no_key_twice(const json_node& object) {
    std::set<std::string_view> keys;
    for (const auto& each : object.children)
      require(keys.insert(each.key).second, each.key + " is there twice");
  }

  static const std::string& string_of(const json_node& object, std::string_view key) {
    const auto* found = object.find(key);
    bool holds = found != nullptr && found->kind == json_kind::string;
    require(holds, std::string{key} + " is no string");
    return found->text;
  }

  static std::string optional_string(const json_node& object, std::string_view key) {
    return object.find(key) == nullptr ? std::string{} : string_of(object, key);
  }

  static const std::vector<json_node>& list_of(const json_node& object, std::string_view key) {
    const auto* found = object.find(key);
    bool holds = found != nullptr && found->kind == json_kind::array && !found->children.empty();
    require(holds, std::string{key} + " is no list");
    return found->children;
  }

  static role role_of(const std::string& name) {
    for (auto each : {role::system, role::user, role::assistant, role::tool})
      if (to_string(each) == name)
        return each;
    throw std::runtime_error("the role " + name + " is unknown");
  }

  static chat_message message(const json_node& node) {
    no_key_twice(node);
    chat_message read;
    read.who = role_of(string_of(node, "role"));
    const auto* content = node.find("content");
    require(content != nullptr, "a message has no content");
    if (content->kind == json_kind::null)
      require(read.who == role::assistant && node.find("tool_calls") != nullptr, "content is null");
    else if (content->kind == json_kind::array)
      parts(*content, read);
    else
      read.text = string_of(node, "content");
    read.tool_call_id = optional_string(node, "tool_call_id");
    read.reasoning = optional_string(node, "reasoning_content");
    if (node.find("tool_calls") != nullptr)
      for (const auto& each : list_of(node, "tool_calls"))
        read.tool_calls.push_back(call(each));
    return read;
  }

  static void parts(const json_node& list, chat_message& into) {
    require(into.who == role::user && !list.children.empty(), "only a user sends parts");
    for (const auto& each : list.children) {
      const auto* held = each.find(string_of(each, "type"));
      require(held != nullptr, "an unknown part");
      if (each.find("input_audio") != nullptr)
        sound(*held);
      else if (held->kind == json_kind::object)
        into.files.push_back(image(string_of(*held, "url")));
      else
        into.text += text(each);
    }
  }

  static const std::string& text(const json_node& part) {
    const auto& read = string_of(part, "text");
    require(!is_blank(read), "a part has a blank text");
    return read;
  }

  static void sound(const json_node& held) {
    const auto& format = string_of(held, "format");
    require(!string_of(held, "data").empty(), "a sound without data");
    require(format == "wav" || format == "mp3", "a sound of the format " + format);
  }

  /// Vision models read four types.
  static message_file image(const std::string& url) {
    for (std::string type : {"image/png", "image/jpeg", "image/gif", "image/webp"})
      if (url.starts_with("data:" + type + ";base64,")) {
        auto data = url.substr(url.find(',') + 1);
        require(is_base64(data), "an image is no base64");
        return {type, url, {}};
      }
    require(url.starts_with("https://") || url.starts_with("http://"), "not an image: " + url);
    return {"image/*", url, {}};
  }

  static bool is_base64(std::string_view data) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    auto size = data.find_last_not_of('=') + 1;
    return size > 0 && data.size() % 4 == 0 && data.size() - size <= 2 &&
           data.substr(0, size).find_first_not_of(alphabet) == std::string_view::npos;
  }

  static tool_call call(const json_node& node) {
    const auto* function = node.find("function");
    require(string_of(node, "type") == "function" && function != nullptr, "no function");
    return {string_of(node, "id"), string_of(*function, "name"), string_of(*function, "arguments")};
  }

  const std::optional<json_node> body_;
};

/// Returns what OpenAI or a strict chat template would refuse in the body of a chat-completions
/// request, or "".
inline std::string openai_body_fault(std::string_view body) {
  try {
    auto sent = request_reader{body}.messages();
    auto fault = openai_fault(sent);
    return fault.empty() ? template_fault(sent) : fault;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

} // namespace troupe::test

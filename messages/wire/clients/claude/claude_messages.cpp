#include "messages/wire/clients/claude/claude_messages.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/claude/claude_content.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

failure read_user(std::string_view content, const std::string& place,
                  std::vector<chat_message>& out) {
  const auto before = out.size();
  chat_message said;
  if (auto bad = read_claude_content(content, place, said, &out))
    return bad;
  if (out.size() == before || !says_nothing(said))
    out.push_back(std::move(said));
  return {};
}

failure read_call(std::string_view block, const std::string& place, chat_message& out) {
  std::string_view id, name, input, extra;
  read_members(block, {{"id", &id}, {"name", &name}, {"input", &input}, {"extra_content", &extra}});
  if (out.tool_calls.size() == max_message_calls)
    return invalid_request(place + " is one call too many: a message may have 1024");
  tool_call made{json_string(id), json_string(name), "{}"};
  if (made.id.empty() || made.name.empty())
    return invalid_request(place + " must have an id and a name");
  if (kind_of(input) == json_kind::object)
    made.arguments = std::string{input};
  else if (!is_nothing(input))
    return invalid_request(place + ".input must be an object");
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure read_answer_block(const claude_block& block, const std::string& place, chat_message& out) {
  if (block.type == "tool_use")
    return read_call(block.slice, place, out);
  std::string_view text;
  if (block.type == "text") {
    read_members(block.slice, {{"text", &text}});
    out.text += json_string(text);
  } else if (block.type == "thinking") {
    read_members(block.slice, {{"thinking", &text}});
    out.reasoning += json_string(text);
  }
  return {};
}

failure read_answer(std::string_view content, const std::string& place, chat_message& out) {
  out.who = role::assistant;
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of blocks");
  failure bad;
  size_t index = 0;
  for_each_element(content, [&](std::string_view each) {
    auto at = fmt::format("{}[{}]", place, index++);
    claude_block block;
    bad = read_claude_block(each, at, block);
    if (!bad)
      bad = read_answer_block(block, at, out);
    return !bad;
  });
  return bad;
}

failure read_message(std::string_view message, const std::string& place,
                     std::vector<chat_message>& out) {
  std::string_view who, content;
  if (kind_of(message) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(message, {{"role", &who}, {"content", &content}});
  const auto name = json_string(who);
  const auto at = place + ".content";
  if (name == "user")
    return read_user(content, at, out);
  if (name == "assistant")
    return read_answer(content, at, out.emplace_back());
  if (name != "system")
    return invalid_request(place + ".role must be user or assistant");
  auto& made = out.emplace_back();
  made.who = role::system;
  return read_claude_content(content, at, made);
}

} // namespace

failure read_claude_system(std::string_view system, std::vector<chat_message>& out) {
  chat_message made;
  made.who = role::system;
  if (kind_of(system) == json_kind::string) {
    made.text = json_string(system);
  } else if (kind_of(system) == json_kind::array) {
    for_each_element(system, [&made](std::string_view block) {
      std::string_view text;
      read_members(block, {{"text", &text}});
      made.text.append(made.text.empty() ? "" : "\n\n").append(json_string(text));
      return true;
    });
  } else if (!is_nothing(system)) {
    return invalid_request("system must be a string or an array of text blocks");
  }
  if (!made.text.empty())
    out.push_back(std::move(made));
  return {};
}

failure read_claude_messages(std::string_view array, std::vector<chat_message>& out) {
  if (kind_of(array) != json_kind::array)
    return invalid_request("messages must be an array");
  failure bad;
  size_t index = 0;
  for_each_element(array, [&](std::string_view each) {
    bad = index == max_request_messages
              ? invalid_request("messages must not be more than 10000")
              : read_message(each, fmt::format("messages[{}]", index++), out);
    return !bad;
  });
  return bad || index > 0 ? bad : invalid_request("messages must not be empty");
}

} // namespace troupe

#include "messages/wire/mcp/prompts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/mcp/content.hpp"
#include "messages/wire/mcp/content_files.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view prompts_list_method = "prompts/list";
constexpr std::string_view prompts_get_method = "prompts/get";
constexpr std::string_view complete_method = "completion/complete";
constexpr size_t most_values = 100;

failure read_argument(std::string_view text, const std::string& prompt, prompt_argument& out) {
  std::string_view name, title, description, required;
  read_members(
      text,
      {{"name", &name}, {"title", &title}, {"description", &description}, {"required", &required}});
  out = {json_string(name), json_string(title), json_string(description), required == "true"};
  return out.name.empty()
             ? broken(prompts_list_method,
                      fmt::format("prompt \"{}\" has an argument without name", prompt))
             : failure{};
}

failure read_prompt(std::string_view text, size_t index, prompt& out) {
  std::string_view name, title, description, arguments;
  read_members(text, {{"name", &name},
                      {"title", &title},
                      {"description", &description},
                      {"arguments", &arguments}});
  out = {json_string(name), json_string(title), json_string(description), {}};
  if (out.name.empty())
    return broken(prompts_list_method, fmt::format("prompt {} has no name", index));
  if (is_nothing(arguments))
    return {};
  return read_array(prompts_list_method, "arguments", arguments,
                    [&](std::string_view element, size_t) {
                      return read_argument(element, out.name, out.arguments.emplace_back());
                    });
}

failure read_message(std::string_view text, size_t index, prompt_message& out) {
  std::string_view who, content;
  read_members(text, {{"role", &who}, {"content", &content}});
  out.role = json_string(who);
  auto place = fmt::format("messages[{}]", index);
  if (out.role != "user" && out.role != "assistant")
    return broken(prompts_get_method, place + ".role is neither \"user\" nor \"assistant\"");
  // Some servers send a list of parts, as in sampling, and some a plain string.
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  piece_collector texts{out.text, out.files};
  auto add = [&](std::string_view part, size_t) {
    if (out.role == "user" && append_file(part, out.files))
      return failure{};
    content_text read;
    auto missing = read_content(part, read);
    texts.line(read.text);
    return missing.empty()
               ? failure{}
               : broken(prompts_get_method, fmt::format("{}.content has no {}", place, missing));
  };
  auto bad = kind_of(content) == json_kind::array
                 ? read_array(prompts_get_method, "content", content, add)
                 : add(content, 0);
  texts.end();
  return bad;
}

} // namespace

std::string prompt_params(std::string_view name, const std::map<std::string, std::string>& values) {
  // Always sent: servers whose arguments are all optional refuse a request without the object.
  return json_text([&](json_object& out) { out.member("name", name).member("arguments", values); });
}

std::string raw_prompt_params(std::string_view name, const raw_json& arguments) {
  return json_text([&](json_object& out) {
    out.member("name", name)
        .raw("arguments", arguments.text.empty() ? std::string_view{"{}"} : arguments.text);
  });
}

std::string completion_params(const completion_request& ask) {
  return json_text([&](json_object& out) {
    out.object("ref")
        .member("type", ask.of_prompt ? "ref/prompt" : "ref/resource")
        .member(ask.of_prompt ? "name" : "uri", ask.reference);
    out.object("argument").member("name", ask.argument).member("value", ask.value);
    if (!ask.context.empty())
      out.object("context").member("arguments", ask.context);
  });
}

failure parse(std::string_view result, prompts_page& out) {
  json_source source{result};
  if (auto bad = check_object(prompts_list_method, source))
    return bad;
  std::string_view prompts, cursor;
  read_members(source.root(), {{"prompts", &prompts}, {"nextCursor", &cursor}});
  out = {};
  out.next_cursor = json_string(cursor);
  return read_entries(prompts_list_method, "prompts", prompts, read_prompt, out.prompts,
                      out.left_out);
}

failure parse(std::string_view result, prompt_result& out) {
  json_source source{result};
  if (auto bad = check_object(prompts_get_method, source))
    return bad;
  std::string_view description, messages;
  read_members(source.root(), {{"description", &description}, {"messages", &messages}});
  out = {};
  out.description = json_string(description);
  return read_array(prompts_get_method, "messages", messages,
                    [&](std::string_view text, size_t index) {
                      return read_message(text, index, out.messages.emplace_back());
                    });
}

failure parse(std::string_view result, completion_result& out) {
  json_source source{result};
  if (auto bad = check_object(complete_method, source))
    return bad;
  std::string_view completion, values, total, has_more;
  read_members(source.root(), {{"completion", &completion}});
  if (kind_of(completion) != json_kind::object)
    return broken(complete_method, "there is no object \"completion\"");
  read_members(completion, {{"values", &values}, {"total", &total}, {"hasMore", &has_more}});
  out = {};
  out.total = static_cast<uint64_t>(std::max(integer_of(total).value_or(0), int64_t{0}));
  out.has_more = has_more == "true";
  return read_array(complete_method, "values", values, [&](std::string_view value, size_t index) {
    if (kind_of(value) != json_kind::string)
      return broken(complete_method, fmt::format("values[{}] is no string", index));
    if (out.values.size() < most_values)
      out.values.push_back(json_string(value));
    else
      out.has_more = true;
    return failure{};
  });
}

} // namespace troupe::mcp

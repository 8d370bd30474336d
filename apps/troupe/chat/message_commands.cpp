// The commands about the next messages.
#include "apps/troupe/chat/chat_commands.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/chat/transcript.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

line_kind say(std::string_view text) {
  fmt::print(stderr, "{}\n", text);
  return line_kind::done;
}

/// Returns the keys of the models; `fault` is set if they cannot be had.
std::vector<std::string> models_of(chat_state& chat, std::string& fault) {
  auto answer = chat.client.models();
  if (!answer.ok())
    fault = answer.complaint();
  json_source source{answer.body};
  std::string_view list;
  read_members(source.root(), {{"data", &list}});
  std::vector<std::string> out;
  for_each_element(list, [&](std::string_view each) {
    std::string_view id;
    read_members(each, {{"id", &id}});
    out.push_back(json_string(id));
    return true;
  });
  return out;
}

line_kind model(chat_state& chat, const std::string& name) {
  std::string fault;
  const auto known = models_of(chat, fault);
  if (!fault.empty())
    return say("troupe: " + fault);
  const auto is_known = std::find(known.begin(), known.end(), name) != known.end();
  if (is_known)
    chat.model = name;
  if (is_known)
    return say("The next messages go to " + terminal_text(name) + ".");
  if (!name.empty())
    fmt::print(stderr, "There is no model {}; these are there:\n", terminal_text(name));
  for (const auto& each : known)
    fmt::print(stderr, "{} {}\n", each == chat.model ? "*" : " ", terminal_text(each));
  return chat.model.empty()
             ? say("Now: the chat's own, or the default one. /model NAME changes it.")
             : line_kind::done;
}

line_kind show_system_message(chat_state& chat) {
  if (chat.system && !chat.system->empty())
    return say("Goes with the next message: " + terminal_text(*chat.system, true));
  const auto answer = chat.client.show();
  const auto now = answer.ok() && !chat.system ? system_message_of(answer.body) : std::string{};
  if (!now.empty())
    say("This chat has: " + terminal_text(now, true));
  return say("/system TEXT tells the model how to answer in this chat; /system - takes it back.");
}

line_kind system_message(chat_state& chat, const std::string& text) {
  if (text.empty())
    return show_system_message(chat);
  chat.system = text == "-" ? "" : text;
  return say(text == "-" ? "From the next message on this chat has no system message."
                         : "It goes with the next message, in place of what this chat had, and "
                           "counts from then on.");
}

line_kind file(chat_state& chat, const std::string& path) {
  if (path == "-") {
    chat.files.clear();
    return say("No file goes with the next message.");
  }
  if (!path.empty()) {
    attached_file read;
    if (auto bad = read_attached_file(path, read))
      return say("troupe: " + terminal_text(bad.text()));
    chat.files.push_back(std::move(read));
  }
  if (chat.files.empty())
    return say("/file PATH sends a text, an image, a sound or a PDF with the next message.");
  for (const auto& each : chat.files)
    fmt::print(stderr, "  {}, {}, {} bytes\n", terminal_text(each.name), each.media_type,
               each.bytes);
  return say("With the next message; /file - takes them off.");
}

line_kind tools(chat_state& chat, const std::string&) {
  auto answer = chat.client.tools();
  if (!answer.ok())
    return say("troupe: " + answer.complaint());
  json_source source{answer.body};
  std::string_view list;
  read_members(source.root(), {{"tools", &list}});
  size_t count = 0;
  const auto columns = std::max<size_t>(columns_of(STDERR_FILENO, 80), 20) - 1;
  for_each_element(list, [&](std::string_view each) {
    std::string_view server, name, about;
    read_members(each, {{"server", &server}, {"name", &name}, {"description", &about}});
    const auto line =
        fmt::format("  {} {}  {}", terminal_text(json_string(server)),
                    terminal_text(json_string(name)), terminal_text(json_string(about)));
    fmt::print(stderr, "{}\n", shortened(line, columns));
    ++count;
    return true;
  });
  return count > 0 ? line_kind::done : say("No MCP server offers a tool here.");
}

line_kind usage(chat_state& chat, const std::string&) {
  const auto words = [](const chat_usage& used) {
    return fmt::format("{} tokens read, {} written", used.input_tokens, used.output_tokens);
  };
  if (chat.used.turns == 0)
    return say("Nothing was used yet.");
  fmt::print(stderr, "The last turn: {}\n", words(chat.last));
  return say(fmt::format("All {} since the start: {}", chat.used.turns, words(chat.used)));
}

constexpr chat_command about_messages[]{
    {"model", "[NAME]", "Show the models, or choose the one that answers", model},
    {"system", "[TEXT]", "Tell the model how to answer in this chat", system_message},
    {"file", "[PATH]", "Send a text, image, sound or PDF with the next message", file},
    {"tools", "", "Show the tools of the MCP servers", tools},
    {"usage", "", "Show what was used", usage},
};

} // namespace

std::span<const chat_command> message_commands() {
  return about_messages;
}

} // namespace troupe

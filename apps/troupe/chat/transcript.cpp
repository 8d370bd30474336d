#include "apps/troupe/chat/transcript.hpp"

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns a value in a fence that is longer than any in it.
std::string fenced(std::string_view value) {
  std::string fence = "```";
  while (value.find(fence) != value.npos)
    fence.push_back('`');
  return fmt::format("{}\n{}\n{}\n\n", fence, value, fence);
}

std::string value_text(std::string_view json) {
  return kind_of(json) == json_kind::string ? json_string(json) : std::string{json};
}

std::string call_text(std::string_view part, std::string_view name) {
  std::string_view input, output, error;
  read_members(part, {{"input", &input}, {"output", &output}, {"errorText", &error}});
  auto out = fmt::format("*Called `{}`:*\n\n{}", name, fenced(value_text(input)));
  if (!is_nothing(output))
    out += "*It answered:*\n\n" + fenced(value_text(output));
  if (!is_nothing(error))
    out += "*It failed:*\n\n" + fenced(value_text(error));
  return out;
}

std::string part_text(std::string_view part) {
  std::string_view type, text, filename, name;
  read_members(part,
               {{"type", &type}, {"text", &text}, {"filename", &filename}, {"toolName", &name}});
  const auto kind = json_string(type);
  if (kind == "text")
    return json_string(text) + "\n\n";
  if (kind == "file")
    return fmt::format("*File {}*\n\n", json_string(filename));
  if (kind == "dynamic-tool")
    return call_text(part, json_string(name));
  return kind.starts_with("tool-") ? call_text(part, std::string_view{kind}.substr(5)) : "";
}

/// Calls `each` with the role and the parts of every message.
template <class Each>
void for_each_message(std::string_view messages, Each each) {
  for_each_element(messages, [&](std::string_view message) {
    std::string_view role, parts;
    read_members(message, {{"role", &role}, {"parts", &parts}});
    each(json_string(role), parts);
    return true;
  });
}

/// Returns the texts of a message, one below the other.
std::string texts_of(std::string_view parts) {
  std::string out;
  for_each_element(parts, [&](std::string_view part) {
    std::string_view type, text;
    read_members(part, {{"type", &type}, {"text", &text}});
    if (json_string(type) == "text")
      out += (out.empty() ? "" : "\n\n") + json_string(text);
    return true;
  });
  return out;
}

} // namespace

std::string transcript_name(std::string_view id) {
  constexpr size_t most_letters = 200; // of the 255 that file systems take
  std::string out{id.substr(0, most_letters)};
  for (char& c : out) {
    const auto is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    c = is_plain ? c : '_';
  }
  if (out.starts_with('.') || out.starts_with('-'))
    out[0] = '_'; // neither hidden nor an option of other programs
  return out + ".md";
}

std::string markdown_transcript(std::string_view body) {
  json_source source{body};
  std::string_view title, messages;
  read_members(source.root(), {{"title", &title}, {"messages", &messages}});
  auto out = fmt::format("# {}\n\n", json_string(title));
  for_each_message(messages, [&](const std::string& role, std::string_view parts) {
    out += role == "user"        ? "## You\n\n"
           : role == "assistant" ? "## Assistant\n\n"
                                 : "## System\n\n";
    for_each_element(parts, [&](std::string_view part) {
      out += part_text(part);
      return true;
    });
  });
  while (out.ends_with("\n\n"))
    out.pop_back();
  return out;
}

last_exchange read_last_exchange(std::string_view body) {
  json_source source{body};
  std::string_view title, messages, turn, state;
  read_members(source.root(), {{"title", &title}, {"messages", &messages}, {"lastTurn", &turn}});
  read_members(turn, {{"state", &state}});
  last_exchange out;
  out.title = json_string(title);
  out.state = json_string(state);
  for_each_message(messages, [&](const std::string& role, std::string_view parts) {
    if (role == "user") {
      out.question = texts_of(parts);
      out.answer.clear();
    } else if (role == "assistant") {
      out.answer = texts_of(parts);
    }
  });
  return out;
}

std::string system_message_of(std::string_view body) {
  json_source source{body};
  std::string_view messages;
  read_members(source.root(), {{"messages", &messages}});
  std::string out;
  for_each_message(messages, [&](const std::string& role, std::string_view parts) {
    if (role == "system")
      out += (out.empty() ? "" : "\n\n") + texts_of(parts);
  });
  return out;
}

} // namespace troupe

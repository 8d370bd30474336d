// A conversation as people read it.
#include "apps/troupe/conversations/conversations_tables.hpp"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t widest_value = 2000; // bytes of a tool's arguments or result

std::string value_of(std::string_view json) {
  auto text = terminal_text(kind_of(json) == json_kind::string ? json_string(json) : json, true);
  if (text.size() <= widest_value)
    return text;
  return text.substr(0, widest_value) + fmt::format(" [{} bytes; --json shows all]", text.size());
}

/// @param name of the tool
void print_call(std::string_view part, std::string_view name) {
  std::string_view input, output, state, error;
  read_members(part,
               {{"input", &input}, {"output", &output}, {"state", &state}, {"errorText", &error}});
  fmt::print("[{} {}]\n", terminal_text(name), value_of(input));
  const auto where = json_string(state);
  if (where == "output-available")
    fmt::print("[= {}]\n", value_of(output));
  else if (where == "output-error")
    fmt::print("[failed: {}]\n", value_of(error));
  else
    fmt::print("[= {}]\n", where == "output-denied" ? "not allowed" : "no result yet");
}

void print_part(std::string_view part) {
  std::string_view type, text, media, filename, name;
  read_members(part, {{"type", &type},
                      {"text", &text},
                      {"mediaType", &media},
                      {"filename", &filename},
                      {"toolName", &name}});
  auto kind = json_string(type);
  if (kind == "text")
    fmt::print("{}\n", terminal_text(json_string(text), true));
  else if (kind == "reasoning")
    fmt::print("(thinking) {}\n", terminal_text(json_string(text), true));
  else if (kind == "file")
    fmt::print("[file {} {}]\n", terminal_text(json_string(media)),
               terminal_text(json_string(filename)));
  else if (kind == "dynamic-tool")
    print_call(part, json_string(name));
  else if (kind.starts_with("tool-"))
    print_call(part, std::string_view{kind}.substr(5));
  else if (kind == "data-mcp-resource")
    fmt::print("[with a resource of an MCP server]\n");
}

void print_message(std::string_view message) {
  std::string_view role, id, parts, metadata, created;
  read_members(message, {{"role", &role}, {"id", &id}, {"parts", &parts}, {"metadata", &metadata}});
  read_members(metadata, {{"createdAt", &created}});
  auto seconds = static_cast<std::time_t>(number_of(created) / 1000);
  fmt::print("\n{}  {:%Y-%m-%d %H:%M:%S}  {}\n", terminal_text(json_string(role)),
             fmt::localtime(seconds), terminal_text(json_string(id)));
  for_each_element(parts, [](std::string_view part) {
    print_part(part);
    return true;
  });
}

/// Says how the last turn ended, unless all went well.
void print_turn(std::string_view turn) {
  std::string_view state, error, message;
  read_members(turn, {{"state", &state}, {"error", &error}});
  read_members(error, {{"message", &message}});
  auto name = json_string(state);
  if (is_nothing(turn) || name == "ended")
    return;
  auto why = terminal_text(json_string(message));
  fmt::print("\nThe last turn {} {}{}\n", name == "running" ? "is" : "was", name,
             why.empty() ? "." : ": " + why);
}

} // namespace

void print_transcript(std::string_view body) {
  json_source source{body};
  std::string_view id, title, messages, turn;
  read_members(source.root(),
               {{"id", &id}, {"title", &title}, {"messages", &messages}, {"lastTurn", &turn}});
  fmt::print("{}  ({})\n", terminal_text(json_string(title)), terminal_text(json_string(id)));
  for_each_element(messages, [](std::string_view message) {
    print_message(message);
    return true;
  });
  print_turn(turn);
}

} // namespace troupe

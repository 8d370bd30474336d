#include "apps/troupe/mcp/mcp_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/content.hpp"

namespace troupe {

namespace {

/// Bytes of an error in a table.
constexpr size_t longest_error = 300;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string text_of(std::string_view value) {
  return terminal_text(kind_of(value) == json_kind::string ? first_line(json_string(value))
                                                           : std::string{value});
}

/// Returns an error on one line, with the first line of the program's stderr tail.
std::string short_error(std::string_view message) {
  auto text = json_string(message);
  auto end = text.find('\n');
  if (text.find(stderr_tail_mark) < end && end != text.npos)
    end = text.find('\n', end + 1);
  text.resize(std::min(end, text.size()));
  for (const auto* page : {"<!DOCTYPE", "<!doctype", "<html", "<HTML"}) // of no use in a line
    text.resize(std::min(text.find(page), text.size()));
  return terminal_text(utf8_prefix(text, longest_error));
}

/// Returns one row per element of body[list] with the members called `keys`.
std::vector<table_row> rows_of(std::string_view body, std::string_view list,
                               const table_row& keys) {
  std::vector<table_row> rows;
  std::string_view elements;
  read_members(body, {{list, &elements}});
  for_each_element(elements, [&](std::string_view element) {
    table_row& cells = rows.emplace_back();
    for (const auto& key : keys) {
      std::string_view value;
      read_members(element, {{key, &value}});
      cells.push_back(text_of(value));
    }
    return true;
  });
  return rows;
}

} // namespace

bool all_connected(std::string_view body) {
  json_source source{body};
  std::string_view servers;
  read_members(source.root(), {{"servers", &servers}});
  return for_each_element(servers, [](std::string_view server) {
    std::string_view enabled, health;
    read_members(server, {{"enabled", &enabled}, {"health", &health}});
    return enabled == "false" || json_string(health) == "success";
  });
}

size_t complain_of_servers(std::string_view body, std::string_view only) {
  json_source source{body};
  size_t count = 0;
  std::string_view servers;
  read_members(source.root(), {{"servers", &servers}});
  for_each_element(servers, [&](std::string_view server) {
    std::string_view name, enabled, health, phase, error, message;
    read_members(server, {{"name", &name},
                          {"enabled", &enabled},
                          {"health", &health},
                          {"phase", &phase},
                          {"error", &error}});
    read_members(error, {{"message", &message}});
    const auto called = json_string(name);
    if (enabled == "false" || json_string(health) == "success" || (!only.empty() && called != only))
      return true;
    ++count;
    const auto why = is_nothing(error) ? text_of(phase) : short_error(message);
    if (why.starts_with("MCP server ")) {
      fmt::print(stderr, "troupe: {}\n", why);
      return true;
    }
    fmt::print(stderr, "troupe: MCP server '{}' is not connected: {}\n", terminal_text(called),
               why);
    return true;
  });
  return count;
}

void warn_of_many_tools(std::string_view body) {
  const size_t usual = model_config{}.max_tools;
  json_source source{body};
  std::string_view tools;
  read_members(source.root(), {{"tools", &tools}});
  size_t count = 0;
  for_each_element(tools, [&](std::string_view) { return ++count > 0; });
  if (count > usual)
    fmt::print(stderr,
               "troupe: these are {} tools; a model is given {} of them at most, unless its "
               "maxTools says otherwise. Choose with includeTools or excludeTools of the servers\n",
               count, usual);
}

void print_servers(std::string_view body) {
  json_source source{body};
  std::vector<table_row> rows;
  std::string_view servers;
  read_members(source.root(), {{"servers", &servers}});
  for_each_element(servers, [&](std::string_view server) {
    std::string_view name, type, enabled, health, phase, tools, called, error, message;
    read_members(server, {{"name", &name},
                          {"type", &type},
                          {"enabled", &enabled},
                          {"health", &health},
                          {"phase", &phase},
                          {"tools", &tools},
                          {"serverName", &called},
                          {"error", &error}});
    read_members(error, {{"message", &message}});
    rows.push_back({text_of(name), text_of(type), enabled == "false" ? "disabled" : text_of(health),
                    text_of(phase), std::string{tools},
                    is_nothing(error) ? text_of(called) : short_error(message)});
    return true;
  });
  print_rows("There are no MCP servers.", {"NAME", "TYPE", "HEALTH", "PHASE", "TOOLS", "SERVER"},
             rows);
}

void print_log(std::string_view body) {
  json_source source{body};
  std::string_view log;
  read_members(source.root(), {{"log", &log}});
  for_each_element(log, [](std::string_view line) {
    std::string_view at, text, times;
    read_members(line, {{"timeMs", &at}, {"text", &text}, {"times", &times}});
    auto seconds = static_cast<std::time_t>(number_of(at) / 1000);
    fmt::print("{:%H:%M:%S}  {}{}\n", fmt::localtime(seconds), terminal_text(json_string(text)),
               number_of(times) > 1 ? fmt::format("  ({} times)", times) : "");
    return true;
  });
}

void print_tools(std::string_view body) {
  json_source source{body};
  print_rows("There are no tools.", {"SERVER", "TOOL", "DESCRIPTION"},
             rows_of(source.root(), "tools", {"server", "name", "description"}));
}

void print_resources(std::string_view body) {
  json_source source{body};
  const auto templates =
      rows_of(source.root(), "resourceTemplates", {"server", "uriTemplate", "mimeType", "name"});
  const auto resources = rows_of(source.root(), "resources", {"server", "uri", "mimeType", "name"});
  if (templates.empty() || !resources.empty())
    print_rows("There are no resources.", {"SERVER", "RESOURCE", "TYPE", "NAME"}, resources);
  if (!templates.empty())
    print_table({"SERVER", "TEMPLATE", "TYPE", "NAME"}, templates);
}

void print_prompts(std::string_view body) {
  json_source source{body};
  std::vector<table_row> rows;
  std::string_view prompts;
  read_members(source.root(), {{"prompts", &prompts}});
  for_each_element(prompts, [&](std::string_view prompt) {
    std::string_view server, name, description, arguments;
    read_members(prompt, {{"server", &server},
                          {"name", &name},
                          {"description", &description},
                          {"arguments", &arguments}});
    std::string names;
    for_each_element(arguments, [&](std::string_view argument) {
      std::string_view called, required;
      read_members(argument, {{"name", &called}, {"required", &required}});
      names += (names.empty() ? "" : " ") + text_of(called) + (required == "true" ? "" : "?");
      return true;
    });
    rows.push_back({text_of(server), text_of(name), names, text_of(description)});
    return true;
  });
  print_rows("There are no prompts.", {"SERVER", "PROMPT", "ARGUMENTS", "DESCRIPTION"}, rows);
}

void print_contents(std::string_view body) {
  json_source source{body};
  std::string_view contents;
  read_members(source.root(), {{"contents", &contents}});
  for_each_element(contents, [](std::string_view part) {
    std::string_view text, blob, type;
    read_members(part, {{"text", &text}, {"blob", &blob}, {"mimeType", &type}});
    if (text.empty())
      fmt::print("[{} base64 characters of {}; --json shows them]\n", json_string(blob).size(),
                 terminal_text(json_string(type)));
    else
      fmt::print("{}\n", for_stdout(json_string(text)));
    return true;
  });
}

void print_messages(std::string_view body) {
  json_source source{body};
  std::string_view messages;
  read_members(source.root(), {{"messages", &messages}});
  for_each_element(messages, [](std::string_view message) {
    std::string_view role, content;
    read_members(message, {{"role", &role}, {"content", &content}});
    mcp::content_text said;
    mcp::read_content(content, said);
    fmt::print("{}: {}\n", terminal_text(json_string(role)), for_stdout(said.text));
    return true;
  });
}

void print_completion(std::string_view body) {
  json_source source{body};
  std::string_view completion, values;
  read_members(source.root(), {{"completion", &completion}});
  read_members(completion, {{"values", &values}});
  for_each_element(values, [](std::string_view value) {
    fmt::print("{}\n", for_stdout(json_string(value)));
    return true;
  });
}

void print_attachments(std::string_view body) {
  json_source source{body};
  print_rows("There are no attachments.", {"ID", "SERVER", "RESOURCE", "LOADING", "ERROR"},
             rows_of(source.root(), "attachments", {"id", "server", "uri", "loading", "error"}));
}

} // namespace troupe

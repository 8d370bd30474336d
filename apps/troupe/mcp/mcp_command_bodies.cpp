#include "apps/troupe/mcp/mcp_command_bodies.hpp"

#include "messages/json_object.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

/// Returns "name<separator>value" texts as an object of strings.
std::string object_of(const std::vector<std::string>& pairs, char separator) {
  return json_text([&](json_object& out) {
    for (const auto& each : pairs) {
      auto cut = each.find(separator);
      auto value = cut == each.npos ? "" : each.substr(cut + 1);
      if (separator == ':')
        value.erase(0, value.find_first_not_of(' '));
      out.member(each.substr(0, cut), value);
    }
  });
}

bool is_object(const std::string& argument) {
  const auto first = argument.find_first_not_of(" \t\r\n");
  return first != argument.npos && argument[first] == '{';
}

/// @param as_json values that are JSON count as such: a=4 is a number
std::string arguments_of(const std::vector<std::string>& given, bool as_json) {
  if (given.size() == 1 && is_object(given.front()))
    return given.front();
  if (!as_json)
    return object_of(given, '=');
  return json_text([&](json_object& out) {
    for (const auto& each : given) {
      const auto cut = each.find('=');
      const auto value = each.substr(cut + 1);
      if (json_fault(value).empty())
        out.raw(each.substr(0, cut), value);
      else
        out.member(each.substr(0, cut), value);
    }
  });
}

} // namespace

std::string arguments_fault(const std::vector<std::string>& given) {
  if (given.size() == 1 && is_object(given.front())) {
    const auto fault = json_fault(given.front());
    return fault.empty() ? "" : "not valid JSON: " + fault;
  }
  for (const auto& each : given)
    if (is_object(each) || !name_and_value(each).empty())
      return R"(give one JSON object in quotes, as '{"city": "Oslo"}', or NAME=VALUE each, as )"
             "city=Oslo";
  return {};
}

std::string call_body(const mcp_options& options, bool answers) {
  return json_text([&](json_object& out) {
    out.member("server", options.server)
        .member("tool", options.name)
        .raw("arguments", arguments_of(options.pairs, true))
        .given("asTask", options.as_task)
        .given("clientRequests", answers);
  });
}

std::string resource_body(const mcp_options& options) {
  return json_text(
      [&](json_object& out) { out.member("server", options.server).member("uri", options.uri); });
}

std::string prompt_body(const mcp_options& options) {
  return json_text([&](json_object& out) {
    out.member("server", options.server)
        .member("name", options.name)
        .raw("arguments", arguments_of(options.pairs, false));
  });
}

std::string completion_body(const mcp_options& options) {
  return json_text([&](json_object& out) {
    out.member("server", options.server);
    if (options.uri.empty())
      out.object("ref").member("type", "ref/prompt").member("name", options.prompt);
    else
      out.object("ref").member("type", "ref/resource").member("uri", options.uri);
    out.object("argument").member("name", options.name).member("value", options.value);
    if (!options.pairs.empty())
      out.object("context").raw("arguments", object_of(options.pairs, '='));
  });
}

std::string level_body(const mcp_options& options) {
  return json_text([&](json_object& out) {
    out.member("server", options.server).member("level", options.value);
  });
}

std::string request_body(const mcp_options& options) {
  return json_text([&](json_object& out) {
    out.member("server", options.server).member("method", options.name);
    if (!options.arguments.empty())
      out.raw("params", options.arguments);
  });
}

std::string server_entry(const mcp_options& options) {
  return json_text([&](json_object& out) {
    out.given("type", options.type).given("url", options.uri);
    if (!options.command.empty())
      out.member("command", options.command.front())
          .member("args",
                  std::vector<std::string>(options.command.begin() + 1, options.command.end()));
    if (!options.variables.empty())
      out.raw("env", object_of(options.variables, '='));
    if (!options.fields.empty())
      out.raw("headers", object_of(options.fields, ':'));
  });
}

} // namespace troupe

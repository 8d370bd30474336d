#include "apps/troupe/mcp/mcp_command_bodies.hpp"

#include <string_view>

#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

/// Writes one object, member by member.
class object {
public:
  object() { out_.push_back('{'); }

  object& add(std::string_view key, const std::string& value) {
    begin(key);
    append_json(out_, value);
    return *this;
  }

  object& add_raw(std::string_view key, std::string_view json) {
    begin(key);
    append_raw(out_, json);
    return *this;
  }

  object& add_if_given(std::string_view key, const std::string& value) {
    return value.empty() ? *this : add(key, value);
  }

  std::string text() {
    out_.push_back('}');
    return std::string{view(out_)};
  }

private:
  void begin(std::string_view key) {
    if (out_.size() > 1)
      out_.push_back(',');
    append_json(out_, key);
    out_.push_back(':');
  }

  json_buffer out_;
};

/// Returns "name<separator>value" texts as an object of strings.
std::string object_of(const std::vector<std::string>& pairs, char separator) {
  object out;
  for (const auto& each : pairs) {
    auto cut = each.find(separator);
    auto value = cut == each.npos ? "" : each.substr(cut + 1);
    if (separator == ':')
      value.erase(0, value.find_first_not_of(' '));
    out.add(each.substr(0, cut), value);
  }
  return out.text();
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
  object out;
  for (const auto& each : given) {
    const auto cut = each.find('=');
    const auto value = each.substr(cut + 1);
    if (json_fault(value).empty())
      out.add_raw(each.substr(0, cut), value);
    else
      out.add(each.substr(0, cut), value);
  }
  return out.text();
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
  object out;
  out.add("server", options.server).add("tool", options.name);
  out.add_raw("arguments", arguments_of(options.pairs, true));
  if (options.as_task)
    out.add_raw("asTask", "true");
  if (answers)
    out.add_raw("clientRequests", "true");
  return out.text();
}

std::string resource_body(const mcp_options& options) {
  return object{}.add("server", options.server).add("uri", options.uri).text();
}

std::string prompt_body(const mcp_options& options) {
  return object{}
      .add("server", options.server)
      .add("name", options.name)
      .add_raw("arguments", arguments_of(options.pairs, false))
      .text();
}

std::string completion_body(const mcp_options& options) {
  object reference;
  if (options.uri.empty())
    reference.add("type", "ref/prompt").add("name", options.prompt);
  else
    reference.add("type", "ref/resource").add("uri", options.uri);
  object out;
  out.add("server", options.server).add_raw("ref", reference.text());
  out.add_raw("argument", object{}.add("name", options.name).add("value", options.value).text());
  if (!options.pairs.empty())
    out.add_raw("context", object{}.add_raw("arguments", object_of(options.pairs, '=')).text());
  return out.text();
}

std::string level_body(const mcp_options& options) {
  return object{}.add("server", options.server).add("level", options.value).text();
}

std::string request_body(const mcp_options& options) {
  object out;
  out.add("server", options.server).add("method", options.name);
  if (!options.arguments.empty())
    out.add_raw("params", options.arguments);
  return out.text();
}

std::string server_entry(const mcp_options& options) {
  object out;
  out.add_if_given("type", options.type).add_if_given("url", options.uri);
  if (!options.command.empty()) {
    out.add("command", options.command.front());
    out.add_raw("args", to_json(std::vector<std::string>(options.command.begin() + 1,
                                                         options.command.end())));
  }
  if (!options.variables.empty())
    out.add_raw("env", object_of(options.variables, '='));
  if (!options.fields.empty())
    out.add_raw("headers", object_of(options.fields, ':'));
  return out.text();
}

} // namespace troupe

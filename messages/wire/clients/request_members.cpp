#include "messages/wire/clients/request_members.hpp"

#include <cstdint>

#include "messages/wire/clients/client_tools.hpp"

namespace troupe {

namespace {

constexpr int64_t most_roundtrips = 100;

constexpr member_table<option_members, 12> option_table{{
    {"model", &option_members::model},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
    {"clientRequests", &option_members::client_requests},
    {"streaming", &option_members::streaming},
    {"resumable", &option_members::resumable},
    {"whenBusy", &option_members::when_busy},
    {"toolApproval", &option_members::tool_approval},
    {"tools", &option_members::tools},
    {"parameters", &option_members::parameters},
    {"ephemeral", &option_members::ephemeral},
    {"systemPrompt", &option_members::system_prompt},
}};

failure read_servers(std::string_view servers, turn_options& out) {
  if (is_nothing(servers))
    return {};
  out.limits_servers = true;
  return read_list(
      servers, "mcpServers", SIZE_MAX, [&](std::string_view name, const std::string& place) {
        out.mcp_servers.push_back(json_string(name));
        return kind_of(name) == json_kind::string ? failure{}
                                                  : invalid_request(place + " must be a string");
      });
}

bool has_too_many(std::string_view parameters) {
  size_t count = 0;
  for_each_member(parameters,
                  [&](std::string_view, json_value) { return ++count <= max_parameters; });
  return count > max_parameters;
}

failure read_model(const option_members& in, turn_options& out) {
  if (!is_nothing(in.model) && kind_of(in.model) != json_kind::string)
    return invalid_request("model must be a string");
  out.model = json_string(in.model);
  if (!is_nothing(in.streaming)) {
    bool streaming = false;
    if (auto bad = read_flag(in.streaming, "streaming", streaming))
      return bad;
    out.streaming = streaming ? 1 : 0;
  }
  if (is_nothing(in.parameters))
    return {};
  if (kind_of(in.parameters) != json_kind::object)
    return invalid_request("parameters must be an object");
  if (has_too_many(in.parameters))
    return invalid_request("parameters must not have more than 256 members");
  out.parameters = in.parameters;
  return {};
}

failure read_roundtrips(std::string_view slice, turn_options& out) {
  if (is_nothing(slice))
    return {};
  auto rounds = integer_of(slice);
  if (!rounds || *rounds < 0 || *rounds > most_roundtrips)
    return invalid_request("maxToolRoundtrips must be a whole number from 0 to 100");
  out.max_tool_roundtrips = static_cast<int32_t>(*rounds);
  return {};
}

failure read_when_busy(std::string_view slice, turn_options& out) {
  if (is_nothing(slice))
    return {};
  auto name = json_string(slice);
  if (name == "refuse")
    out.when_busy = busy_policy::refuse;
  else if (name == "wait")
    out.when_busy = busy_policy::wait;
  else if (name == "abort")
    out.when_busy = busy_policy::abort;
  else
    return invalid_request("whenBusy must be \"refuse\", \"wait\" or \"abort\"");
  return {};
}

/// A client may ask for more approvals than the configuration, never for less.
failure read_tool_approval(std::string_view slice, turn_options& out) {
  if (is_nothing(slice))
    return {};
  const auto word = json_string(slice);
  out.approve_all = word == "always";
  out.approve_unless_read_only = word == "unlessReadOnly";
  return out.approve_all || out.approve_unless_read_only
             ? failure{}
             : invalid_request("toolApproval must be \"always\" or \"unlessReadOnly\"");
}

failure read_system_prompt(std::string_view slice, turn_options& out) {
  if (is_nothing(slice))
    return {};
  if (kind_of(slice) != json_kind::string)
    return invalid_request("systemPrompt must be a string");
  out.sets_system = true;
  out.system_prompt = json_string(slice);
  return {};
}

} // namespace

failure invalid_request(std::string what) {
  return {errc::request_invalid, std::move(what)};
}

failure unknown_key(const std::string& place, const std::string& key) {
  return invalid_request(place + " has the unknown key \"" + key + "\"");
}

failure read_object(std::string_view slice, const std::string& place,
                    std::initializer_list<json_member> members) {
  if (kind_of(slice) != json_kind::object)
    return invalid_request(place + " must be an object");
  const auto key = read_only_members(slice, members);
  return key ? unknown_key(place, *key) : failure{};
}

bool is_id(std::string_view slice) {
  auto id = json_string(slice);
  return !id.empty() && id.size() <= max_id_bytes;
}

std::optional<role> named_role(std::string_view slice) {
  const auto name = json_string(slice);
  for (auto each : {role::system, role::user, role::assistant, role::tool})
    if (to_string(each) == name)
      return each;
  return std::nullopt;
}

failure check_body(const json_source& body) {
  if (!body.fault().empty())
    return invalid_request("the body is not valid JSON: " + body.fault());
  if (kind_of(body.root()) != json_kind::object)
    return invalid_request("the body must be a JSON object");
  return {};
}

failure read_flag(std::string_view slice, std::string_view name, bool& out) {
  if (is_nothing(slice))
    return {};
  if (kind_of(slice) != json_kind::boolean)
    return invalid_request(fmt::format("{} must be true or false", name));
  out = slice == "true";
  return {};
}

bool option_members::take(std::string_view key, json_value value) {
  return take_member(*this, option_table, key, value);
}

failure read_options(const option_members& in, turn_options& out) {
  if (auto bad = read_model(in, out))
    return bad;
  if (auto bad = read_roundtrips(in.max_tool_roundtrips, out))
    return bad;
  if (auto bad = read_flag(in.client_requests, "clientRequests", out.client_requests))
    return bad;
  if (auto bad = read_servers(in.mcp_servers, out))
    return bad;
  if (auto bad = read_flag(in.resumable, "resumable", out.resumable))
    return bad;
  if (auto bad = read_when_busy(in.when_busy, out))
    return bad;
  if (auto bad = read_tool_approval(in.tool_approval, out))
    return bad;
  if (auto bad = read_system_prompt(in.system_prompt, out))
    return bad;
  return read_client_tools(in.tools, out.tools);
}

failure read_prompt(std::string_view prompt, prompt_reference& out) {
  if (is_nothing(prompt))
    return {};
  std::string_view server, name, arguments;
  if (auto bad = read_object(prompt, "prompt",
                             {{"server", &server}, {"name", &name}, {"arguments", &arguments}}))
    return bad;
  if (!is_id(server))
    return invalid_request("prompt.server must be a string of 1 to 256 bytes");
  if (!is_id(name))
    return invalid_request("prompt.name must be a string of 1 to 256 bytes");
  if (!is_nothing(arguments) && kind_of(arguments) != json_kind::object)
    return invalid_request("prompt.arguments must be an object");
  failure bad;
  for_each_member(arguments, [&](std::string_view, json_value value) {
    if (value.kind() != json_kind::string)
      bad = invalid_request("prompt.arguments must hold strings only");
    return !bad;
  });
  if (bad)
    return bad;
  out = {json_string(server),
         json_string(name),
         {is_nothing(arguments) ? "" : std::string{arguments}}};
  return {};
}

} // namespace troupe

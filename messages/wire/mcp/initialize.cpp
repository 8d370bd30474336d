#include "messages/wire/mcp/initialize.hpp"

#include <algorithm>
#include <array>

#include "messages/json.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe::mcp {

namespace {

constexpr std::array<std::string_view, 4> revisions{"2024-11-05", "2025-03-26", "2025-06-18",
                                                    latest_revision};

void read_capabilities(std::string_view capabilities, initialize_result& out) {
  for_each_member(capabilities, [&](std::string_view key, std::string_view value) {
    auto offered = !is_nothing(value) && value != "false";
    if (key == "tools")
      out.has_tools = offered;
    else if (key == "resources")
      out.has_resources = offered;
    else if (key == "prompts")
      out.has_prompts = offered;
    else if (key == "logging")
      out.has_logging = offered;
    else if (key == "completions")
      out.has_completions = offered;
    return true;
  });
}

} // namespace

bool speaks(std::string_view revision) {
  return std::find(revisions.begin(), revisions.end(), revision) != revisions.end();
}

std::string initialize_params(std::string_view client_version) {
  json_buffer out;
  append_raw(out, R"({"protocolVersion":)");
  append_json(out, latest_revision);
  append_raw(out,
             R"(,"capabilities":{},"clientInfo":{"name":"troupe","title":"Troupe","version":)");
  append_json(out, client_version);
  append_raw(out, "}}");
  return std::string{view(out)};
}

failure parse(std::string_view result, initialize_result& out) {
  json_source source{result};
  if (!source.fault().empty())
    return {errc::server_protocol, "the answer to initialize is not JSON: " + source.fault()};
  std::string_view version, capabilities, server, instructions;
  read_members(source.root(), {{"protocolVersion", &version},
                               {"capabilities", &capabilities},
                               {"serverInfo", &server},
                               {"instructions", &instructions}});
  if (kind_of(version) != json_kind::string)
    return {errc::server_protocol, "the answer to initialize has no protocolVersion"};
  out = {};
  out.protocol_version = json_string(version);
  if (!speaks(out.protocol_version))
    return {errc::server_protocol, "the server speaks revision \"" + out.protocol_version +
                                       "\" of MCP, which Troupe does not"};
  std::string_view name, server_version;
  read_members(server, {{"name", &name}, {"version", &server_version}});
  out.server_name = json_string(name);
  out.server_version = json_string(server_version);
  out.instructions = json_string(instructions);
  read_capabilities(capabilities, out);
  return {};
}

} // namespace troupe::mcp

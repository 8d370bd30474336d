#include "apps/conformance/scenarios.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace troupe::conformance {

namespace {

/// Returns the one server, or why it is not connected.
failure connected(mcp_host& host, server_status& out) {
  out = host.servers().at(0);
  if (out.health == server_health::success)
    return {};
  return {errc::server_unavailable, out.error_text.empty() ? "not connected" : out.error_text};
}

failure call(mcp_host& host, const std::string& tool, const std::string& arguments) {
  return host.call_tool(call_tool{"call", server_name, tool, arguments}).error;
}

failure initialize(mcp_host& host) {
  server_status server;
  return connected(host, server);
}

/// Calls every tool that the server offers with these arguments.
failure call_all(mcp_host& host, const std::string& arguments) {
  server_status server;
  if (auto bad = connected(host, server))
    return bad;
  if (server.offered->tools.empty())
    return {errc::server_protocol, "no tools were listed"};
  for (const auto& tool : server.offered->tools)
    if (auto bad = call(host, tool.name, arguments))
      return bad;
  return {};
}

failure add_numbers(mcp_host& host) {
  return call_all(host, R"({"a":5,"b":3})");
}

failure call_without_arguments(mcp_host& host) {
  return call_all(host, "{}");
}

/// Sends the schema of one tool back as an argument of the other, as it came.
failure echo_schema(mcp_host& host) {
  server_status server;
  if (auto bad = connected(host, server))
    return bad;
  for (const auto& tool : server.offered->tools)
    if (tool.name == "json_schema_2020_12_tool")
      return call(host, "json_schema_echo", R"({"schema":)" + tool.input_schema.text + '}');
  return {errc::server_protocol, "json_schema_2020_12_tool was not listed"};
}

struct scenario {
  std::string_view name;
  failure (*run)(mcp_host&);
};

constexpr std::array scenarios{
    scenario{"initialize", initialize},
    scenario{"tools_call", add_numbers},
    scenario{"elicitation-sep1034-client-defaults", call_without_arguments},
    scenario{"sse-retry", call_without_arguments},
    scenario{"json-schema-2020-12-preservation", echo_schema},
};

} // namespace

failure run(const std::string& name, mcp_host& host) {
  for (const auto& each : scenarios)
    if (each.name == name)
      return each.run(host);
  return {errc::request_invalid, fmt::format("there is no scenario '{}' here", name)};
}

} // namespace troupe::conformance

#include "messages/mcp/mcp_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/mcp/mcp_transports.hpp"

namespace troupe {

std::string to_string(client_policy what) {
  switch (what) {
  case client_policy::ask:
    return "ask";
  case client_policy::allow:
    return "allow";
  case client_policy::deny:
    return "deny";
  }
  return "ask";
}

mcp_config_fault address_fault(const mcp_server_config& config) {
  const auto* transport = find_transport(config.type);
  if (transport == nullptr || transport->type != config.type)
    return {"type", "must be " + transport_types()};
  const auto& [plain, secure] = transport->schemes;
  if (plain.empty())
    return config.command.empty()
               ? mcp_config_fault{"command",
                                  "is missing: a server needs a command (stdio) or a url "
                                  "(all others)"}
               : mcp_config_fault{};
  if (config.url.starts_with(plain) || config.url.starts_with(secure))
    return {};
  return {"url",
          fmt::format("must be {} {} or {} URL", plain[0] == 'h' ? "an" : "a", plain, secure)};
}

failure check(const mcp_server_config& config) {
  const auto invalid = [&config](std::string_view key, std::string_view what) -> failure {
    return {errc::config_invalid, fmt::format("mcpServers.{}.{} {}", config.name, key, what)};
  };
  if (config.name.empty())
    return {errc::config_invalid, "an MCP server needs a name"};
  if (config.name.size() > max_server_name_bytes)
    return {errc::config_invalid,
            fmt::format("an MCP server's name has at most {} bytes", max_server_name_bytes)};
  if (const auto bad = address_fault(config); !bad.key.empty())
    return invalid(bad.key, bad.what);
  const std::pair<std::string_view, std::chrono::milliseconds> timeouts[] = {
      {"connectTimeoutMs", config.connect_timeout},
      {"requestTimeoutMs", config.request_timeout},
      {"totalTimeoutMs", config.total_timeout},
      {"askTimeoutMs", config.ask_timeout}};
  for (const auto& [key, value] : timeouts)
    if (value.count() <= 0)
      return invalid(key, "must be positive");
  return config.max_parallel == 0 ? invalid("maxParallel", "must be positive") : failure{};
}

} // namespace troupe

#include "messages/mcp/mcp_config.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "messages/mcp/mcp_transports.hpp"
#include "messages/mcp/tool_pattern.hpp"

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

std::string to_string(server_nodes what) {
  return what == server_nodes::one ? "one" : "every";
}

namespace {

/// Programs that load others from the network before they run them.
constexpr std::array<std::string_view, 14> fetchers{"npx",  "npm",    "pnpm",   "pnpx", "yarn",
                                                    "bun",  "bunx",   "uvx",    "uv",   "pipx",
                                                    "deno", "docker", "podman", "nix"};

bool fetches(const mcp_server_config& config) {
  const auto name_in = [](std::string_view text) {
    text.remove_prefix(text.find_last_of('/') + 1);
    return std::find(fetchers.begin(), fetchers.end(), text) != fetchers.end();
  };
  // "env", "sh -c" and the like stand before the program itself.
  return name_in(config.command) ||
         std::any_of(config.args.begin(), config.args.end(), [&](std::string_view each) {
           return name_in(each.substr(0, each.find(' ')));
         });
}

} // namespace

std::chrono::milliseconds connect_limit(const mcp_server_config& config) {
  using std::chrono::seconds;
  if (config.connect_timeout.count() > 0)
    return config.connect_timeout;
  if (config.type != "stdio" && !config.type.empty())
    return seconds{10};
  return fetches(config) ? seconds{120} : seconds{30};
}

bool offers_tool(const mcp_server_config& config, std::string_view tool) {
  return (config.include_tools.empty() || fits_any(config.include_tools, tool)) &&
         !fits_any(config.exclude_tools, tool);
}

bool approves_tool(const mcp_server_config& config, std::string_view tool) {
  return fits_any(config.auto_approve, tool);
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
  if (!config.fault.empty())
    return {errc::config_invalid, config.fault};
  if (const auto bad = address_fault(config); !bad.key.empty())
    return invalid(bad.key, bad.what);
  const std::pair<std::string_view, std::chrono::milliseconds> timeouts[] = {
      {"requestTimeoutMs", config.request_timeout},
      {"totalTimeoutMs", config.total_timeout},
      {"askTimeoutMs", config.ask_timeout}};
  for (const auto& [key, value] : timeouts)
    if (value.count() <= 0)
      return invalid(key, "must be positive");
  if (config.connect_timeout.count() < 0)
    return invalid("connectTimeoutMs", "must not be negative");
  return config.max_parallel == 0 ? invalid("maxParallel", "must be positive") : failure{};
}

} // namespace troupe

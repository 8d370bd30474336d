#include "actors/mcp_hub/mcp_hub_server.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// The transports, and how their addresses begin.
struct transport_row {
  std::string_view type;
  std::string_view key; ///< of the address
  std::string_view scheme, secure_scheme;
};

constexpr transport_row transports[] = {
    {"stdio", "command", "", ""},
    {"http", "url", "http://", "https://"},
    {"sse", "url", "http://", "https://"},
    {"websocket", "url", "ws://", "wss://"},
};

failure invalid(const mcp_server_config& config, std::string_view key, std::string_view what) {
  return {errc::config_invalid, fmt::format("mcpServers.{}.{} {}", config.name, key, what)};
}

failure check_address(const mcp_server_config& config) {
  const auto* row = std::find_if(std::begin(transports), std::end(transports),
                                 [&](const auto& each) { return each.type == config.type; });
  if (row == std::end(transports))
    return invalid(config, "type", R"(must be "stdio", "http", "sse" or "websocket")");
  if (row->key == "command")
    return config.command.empty() ? invalid(config, "command", "is missing") : failure{};
  if (config.url.empty())
    return invalid(config, "url", "is missing");
  if (!config.url.starts_with(row->scheme) && !config.url.starts_with(row->secure_scheme))
    return invalid(config, "url",
                   fmt::format("must begin with {} or {}", row->scheme, row->secure_scheme));
  return {};
}

} // namespace

failure check(const mcp_server_config& config) {
  constexpr size_t max_name_bytes = 128;
  if (config.name.empty())
    return {errc::config_invalid, "an MCP server needs a name"};
  if (config.name.size() > max_name_bytes)
    return {errc::config_invalid,
            fmt::format("an MCP server's name has at most {} bytes", max_name_bytes)};
  if (auto bad = check_address(config))
    return bad;
  const std::pair<std::string_view, std::chrono::milliseconds> timeouts[] = {
      {"connectTimeoutMs", config.connect_timeout},
      {"requestTimeoutMs", config.request_timeout},
      {"totalTimeoutMs", config.total_timeout},
      {"askTimeoutMs", config.ask_timeout}};
  for (const auto& [key, value] : timeouts)
    if (value.count() <= 0)
      return invalid(config, key, "must be positive");
  if (config.max_parallel == 0)
    return invalid(config, "maxParallel", "must be positive");
  return {};
}

server_status fresh_status(const mcp_server_config& config) {
  server_status status;
  status.name = config.name;
  status.type = config.type;
  status.enabled = config.enabled;
  status.health = config.enabled ? server_health::connecting : server_health::idle;
  return status;
}

} // namespace troupe

// How one MCP server is reached and what it may ask of us.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/http.hpp"

namespace troupe {

/// The policy for a server's questions to the client (sampling, elicitation).
enum class client_policy : uint8_t {
  ask,   ///< the client decides; declined when none can
  allow, ///< done without asking: the default model answers, a form gets its defaults
  deny,  ///< the capability is not even declared
};

std::string to_string(client_policy what);

/// Which nodes of a cluster have a connection to a server. The others call it through the one.
enum class server_nodes : uint8_t { every, one };

std::string to_string(server_nodes what);

/// How much a server may have our models answer (sampling). 0: no bound.
struct sampling_limits {
  uint64_t requests_per_minute = 60;
  uint64_t tokens_per_minute = 200'000; ///< of questions and answers
  uint64_t requests_per_call = 20;      ///< while one call of a tool runs
  uint64_t tokens_per_call = 200'000;
  static constexpr auto fields(auto...) {
    using self = sampling_limits;
    return std::make_tuple(field("requestsPerMinute", &self::requests_per_minute),
                           field("tokensPerMinute", &self::tokens_per_minute),
                           field("requestsPerCall", &self::requests_per_call),
                           field("tokensPerCall", &self::tokens_per_call));
  }
};

/// A folder that a server may work in (specification 2025-11-25, client/roots).
struct mcp_root {
  std::string uri; ///< file://...
  std::string name;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("uri", &mcp_root::uri), field("name", &mcp_root::name));
  }
};

/// One entry of the ecosystem's `mcpServers` JSON, with our additions.
struct mcp_server_config {
  std::string name;              ///< the key in `mcpServers`
  std::string type;              ///< "stdio", "http" (Streamable HTTP), "sse" or "websocket"
  std::string command;           ///< stdio: program, looked up in PATH
  std::vector<std::string> args; ///< stdio
  std::map<std::string, std::string>
      env;              ///< stdio: added to the small inherited set; may be secret
  std::string cwd;      ///< stdio: working folder; empty = ours
  std::string url;      ///< all others
  headers http_headers; ///< all others: sent with every request; may be secret
  std::string proxy;    ///< all others: URL of a proxy; empty = as the environment says
  bool enabled = true;
  server_nodes nodes = server_nodes::every;
  std::chrono::milliseconds connect_timeout{0};      ///< until initialize is answered; 0 = by kind
  std::chrono::milliseconds request_timeout{60'000}; ///< per request, without progress
  std::chrono::milliseconds total_timeout{600'000};  ///< per request, whatever progress it reports
  std::chrono::milliseconds ping_interval{0};        ///< of a silent connection; 0 = no pings
  uint32_t max_parallel = 16;                        ///< calls in flight on this server
  uint32_t max_reconnects = 0; ///< failed attempts in a row, then only a retry by hand; 0 = no end
  bool reconnect_jitter = false; ///< waits a random part of each delay (full jitter)
  std::string log_level;         ///< for logging/setLevel after each connect; empty = not sent
  std::vector<mcp_root> roots;   ///< none: the capability is not declared
  client_policy sampling = client_policy::ask;
  sampling_limits sampling_bounds; ///< of answers of our models
  client_policy elicitation = client_policy::ask;
  std::chrono::milliseconds ask_timeout{300'000}; ///< for the client's answer, then it is declined
  std::vector<std::string> include_tools;         ///< names or patterns with '*'; none: all
  std::vector<std::string> exclude_tools;         ///< the same; wins over include_tools
  std::vector<std::string> auto_approve; ///< the same; they wait for no configured approval
  std::string fault; ///< why the entry cannot be used: a variable is not set; empty: it can

  static constexpr auto fields(auto...) {
    using self = mcp_server_config;
    return std::make_tuple(
        field("name", &self::name), field("type", &self::type), field("command", &self::command),
        field("args", &self::args), field("env", &self::env), field("cwd", &self::cwd),
        field("url", &self::url), field("headers", &self::http_headers),
        field("proxy", &self::proxy), field("enabled", &self::enabled),
        field("nodes", &self::nodes), field("connectTimeoutMs", &self::connect_timeout),
        field("requestTimeoutMs", &self::request_timeout),
        field("totalTimeoutMs", &self::total_timeout),
        field("pingIntervalMs", &self::ping_interval), field("maxParallel", &self::max_parallel),
        field("maxReconnects", &self::max_reconnects),
        field("reconnectJitter", &self::reconnect_jitter), field("logLevel", &self::log_level),
        field("roots", &self::roots), field("sampling", &self::sampling),
        field("samplingLimits", &self::sampling_bounds), field("elicitation", &self::elicitation),
        field("askTimeoutMs", &self::ask_timeout), field("includeTools", &self::include_tools),
        field("excludeTools", &self::exclude_tools), field("autoApprove", &self::auto_approve),
        field("fault", &self::fault));
  }
};

/// Returns the time that a server has to answer `initialize`: its `connect_timeout`, or if that is
/// 0 what its kind takes at a first start on a slow machine. A program that is fetched first (npx,
/// uvx, docker ...) has 120 s, another program 30 s, an address 10 s.
std::chrono::milliseconds connect_limit(const mcp_server_config& config);

/// Returns whether models and clients may use the tool of the server.
bool offers_tool(const mcp_server_config& config, std::string_view tool);

/// Returns whether calls of the tool wait for no approval that is configured.
bool approves_tool(const mcp_server_config& config, std::string_view tool);

/// Most bytes of a server's name.
inline constexpr size_t max_server_name_bytes = 128;

/// A fault in one key of a configuration.
struct mcp_config_fault {
  std::string_view key; ///< as in `mcpServers`; "" = no fault
  std::string what;     ///< "is missing"
};

/// Checks the type, and the command or URL that the type needs. Aliases of types are not accepted.
mcp_config_fault address_fault(const mcp_server_config& config);

/// Checks a configuration that comes at run time. Returns config_invalid that names the faulty key.
failure check(const mcp_server_config& config);

} // namespace troupe

// The state of an MCP server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/frozen.hpp"
#include "messages/mcp/mcp_capabilities.hpp"
#include "messages/mcp/server_offer.hpp"

namespace troupe {

/// Health of a configured server; the names are those of the flow documents.
enum class server_health : uint8_t { idle, connecting, success, error };

/// The phase of a connection.
enum class server_phase : uint8_t {
  idle,
  transport_creating,
  initializing,
  listing_tools,
  connected,
  waiting_to_reconnect,
  given_up, ///< no more attempts until a retry by hand
  disconnecting,
  disconnected,
};

std::string to_string(server_health what);
std::string to_string(server_phase what);

/// A connection's report to its hub; sent at each change.
struct server_status {
  std::string name; ///< the key in `mcpServers`
  std::string type; ///< its transport: "stdio", "http", "sse", "websocket"
  bool enabled = true;
  std::string node;        ///< of a cluster, that has the one connection; "": each has its own
  bool remote = false;     ///< that is another node
  uint64_t connection = 0; ///< raised with each attempt to connect
  server_health health = server_health::idle;
  server_phase phase = server_phase::idle;
  std::string server_name; ///< what the server calls itself
  std::string server_title;
  std::string server_version;
  std::string protocol_version;
  std::string instructions;
  mcp::server_capabilities capabilities;
  uint32_t attempt = 0;    ///< reconnections since the last success
  uint64_t connect_ms = 0; ///< from the opening of the transport to the tools
  errc error = errc::none; ///< the last failure
  std::string error_text;
  frozen<server_tools> offered;
  frozen<server_resources> resources;
  frozen<server_prompts> prompts;
  frozen<server_log> log;
  uint32_t lists_due = 0; ///< lists asked for and not there yet, beside the tools

  static constexpr auto fields(auto...) {
    using self = server_status;
    return std::make_tuple(
        field("name", &self::name), field("type", &self::type), field("enabled", &self::enabled),
        field("node", &self::node), field("foreign", &self::remote),
        field("connection", &self::connection), field("health", &self::health),
        field("phase", &self::phase), field("serverName", &self::server_name),
        field("serverTitle", &self::server_title), field("serverVersion", &self::server_version),
        field("protocolVersion", &self::protocol_version),
        field("instructions", &self::instructions), field("capabilities", &self::capabilities),
        field("attempt", &self::attempt), field("connectMs", &self::connect_ms),
        field("error", &self::error), field("errorText", &self::error_text),
        field("offered", &self::offered), field("resources", &self::resources),
        field("prompts", &self::prompts), field("log", &self::log),
        field("listsDue", &self::lists_due));
  }
};

/// Everything a hub knows of its servers.
struct server_list {
  std::vector<server_status> servers; ///< in the order of the configuration
  uint64_t active_flows = 0;          ///< leases held now
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("servers", &server_list::servers),
                           field("active_flows", &server_list::active_flows));
  }
};

} // namespace troupe

// What the MCP hub and its connections say to each other, and what the hub says of its servers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/inspect.hpp"
#include "messages/types.hpp"
#include "messages/wire/mcp/tools_list.hpp"

namespace troupe {

/// Health of a configured server; the names are those of the flow documents.
enum class server_health : uint8_t { idle, connecting, success, error };

/// How far a connection is.
enum class server_phase : uint8_t {
  idle,
  transport_creating,
  initializing,
  listing_tools,
  connected,
  waiting_to_reconnect,
  disconnecting,
  disconnected,
};

std::string to_string(server_health what);
std::string to_string(server_phase what);

/// What a server offers, as of one complete tools/list.
struct server_tools {
  std::vector<mcp::tool> tools;
  static constexpr auto fields() { return std::make_tuple(field("tools", &server_tools::tools)); }
};

/// A connection's report to its hub; sent at each change.
struct server_status {
  std::string name;
  server_health health = server_health::idle;
  server_phase phase = server_phase::idle;
  std::string server_name; ///< what the server calls itself
  std::string server_version;
  std::string protocol_version;
  uint32_t attempt = 0;    ///< reconnections since the last success
  errc error = errc::none; ///< the last failure
  std::string error_text;
  frozen<server_tools> offered;
  static constexpr auto fields() {
    return std::make_tuple(
        field("name", &server_status::name), field("health", &server_status::health),
        field("phase", &server_status::phase), field("serverName", &server_status::server_name),
        field("serverVersion", &server_status::server_version),
        field("protocolVersion", &server_status::protocol_version),
        field("attempt", &server_status::attempt), field("error", &server_status::error),
        field("errorText", &server_status::error_text), field("offered", &server_status::offered));
  }
};

/// Everything a hub knows of its servers.
struct server_list {
  std::vector<server_status> servers; ///< in the order of the configuration
  uint64_t active_flows = 0;          ///< leases held now
  static constexpr auto fields() {
    return std::make_tuple(field("servers", &server_list::servers),
                           field("active_flows", &server_list::active_flows));
  }
};

/// The hub asks a connection to call a tool.
struct server_call {
  uint64_t call = 0; ///< the hub's number
  std::string tool;
  std::string arguments;
  static constexpr auto fields() {
    return std::make_tuple(field("call", &server_call::call), field("tool", &server_call::tool),
                           field("arguments", &server_call::arguments));
  }
};

/// The hub takes a call back.
struct server_cancel {
  uint64_t call = 0;
  std::string reason;
  static constexpr auto fields() {
    return std::make_tuple(field("call", &server_cancel::call),
                           field("reason", &server_cancel::reason));
  }
};

/// The connection's answer to a server_call; exactly one unless it was cancelled.
struct server_outcome {
  uint64_t call = 0;
  errc error = errc::none;
  std::string text;
  raw_json result;
  static constexpr auto fields() {
    return std::make_tuple(
        field("call", &server_outcome::call), field("error", &server_outcome::error),
        field("text", &server_outcome::text), field("result", &server_outcome::result));
  }
};

/// Progress of a server_call.
struct server_progress {
  uint64_t call = 0;
  double progress = 0;
  double total = 0;
  std::string message;
  static constexpr auto fields() {
    return std::make_tuple(
        field("call", &server_progress::call), field("progress", &server_progress::progress),
        field("total", &server_progress::total), field("message", &server_progress::message));
  }
};

} // namespace troupe

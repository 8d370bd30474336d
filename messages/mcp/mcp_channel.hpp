// Messages between an MCP connection actor and the transport of its connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/mcp/mcp_config.hpp"

namespace troupe {

/// One JSON-RPC message for the server.
struct mcp_outbound {
  std::string json;
  std::string method;     ///< of a request or notification; empty for a response
  int64_t request_id = 0; ///< 0: a notification or a response; nothing is awaited
  std::string
      protocol_version; ///< negotiated revision, for the HTTP header; empty before initialize
};

/// The kind of an MCP channel's report.
enum class mcp_signal : uint8_t {
  opened,   ///< ready to send
  received, ///< `messages` came in
  failed,   ///< the request `request_id` cannot be answered; the channel stays open
  closed,   ///< the channel is gone, nothing more comes; all requests in flight are lost
};

/// One report of a channel. One `received` holds all messages of one network read.
struct mcp_inbound {
  uint64_t channel = 0; ///< the caller's number for this channel
  mcp_signal signal = mcp_signal::received;
  std::vector<std::string> messages; ///< received: JSON texts, not yet validated
  int64_t request_id = 0;            ///< failed
  errc error = errc::none;           ///< failed, closed (none = orderly)
  std::string error_text;            ///< failed, closed: what happened; includes the tail of stderr
  int64_t related = 0;  ///< received: our request on whose answer stream they came; 0 = unknown
  bool not_run = false; ///< failed: the server has certainly not begun the request
  std::string noise;   ///< received: the beginning of a line that is no message; "" = there is none
  std::string node;    ///< that has the one connection of a cluster; "" = as it was, or none has
  bool remote = false; ///< it is another node
  bool moved = false;  ///< closed: the server continues, on whichever node

  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("channel", &mcp_inbound::channel), field("signal", &mcp_inbound::signal),
        field("messages", &mcp_inbound::messages), field("request_id", &mcp_inbound::request_id),
        field("related", &mcp_inbound::related), field("not_run", &mcp_inbound::not_run),
        field("error", &mcp_inbound::error), field("error_text", &mcp_inbound::error_text),
        field("noise", &mcp_inbound::noise), field("node", &mcp_inbound::node),
        field("foreign", &mcp_inbound::remote), field("moved", &mcp_inbound::moved));
  }
};

} // namespace troupe

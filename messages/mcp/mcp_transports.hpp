// THE list of MCP transports: what the `type` of a server can be, and how its address begins.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace troupe {

/// One transport.
struct mcp_transport {
  std::string_view type;
  std::array<std::string_view, 2> schemes; ///< of its URL; empty: it is a command
  std::array<std::string_view, 3> aliases; ///< names that other programs use; "" = none
};

/// A new one has a row here, a file pair in transport/mcp/ and a row of mcp_channels.cpp.
inline constexpr std::array mcp_transports{
    mcp_transport{"stdio", {}, {"local"}},
    mcp_transport{
        "http", {"http://", "https://"}, {"streamable-http", "streamableHttp", "streamable_http"}},
    mcp_transport{"sse", {"http://", "https://"}, {}},
    mcp_transport{"websocket", {"ws://", "wss://"}, {"ws"}},
};

/// Returns the transport of this type or alias, or nullptr.
const mcp_transport* find_transport(std::string_view type);

/// Returns the types for an error text: `"stdio", "http", "sse" or "websocket"`.
std::string transport_types();

} // namespace troupe
